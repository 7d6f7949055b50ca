package storetest

import (
	"fmt"
	"testing"

	"terfyn/store"
	"terfyn/store/audit"
)

// traceDamage changes stored chains in every way an intruder with database
// access has, short of rewriting the recorded head as well.
func traceDamage(t *testing.T, s store.Store) {
	cases := []struct {
		name string
		sql  string // %[1]s is the run, %[2]s another intact run
		seq  int64
		kind audit.Kind
	}{
		{"data", `UPDATE trace_events SET data = '{"n":7}' WHERE run_id = '%[1]s' AND seq = 3`, 3, audit.Altered},
		{"actor", `UPDATE trace_events SET actor_id = 'alice' WHERE run_id = '%[1]s' AND seq = 4`, 4, audit.Altered},
		{"actor type", `UPDATE trace_events SET actor_type = 'user' WHERE run_id = '%[1]s' AND seq = 4`, 4, audit.Altered},
		{"type", `UPDATE trace_events SET type = 'other' WHERE run_id = '%[1]s' AND seq = 1`, 1, audit.Altered},
		{"call site", `UPDATE trace_events SET call_site = 'other' WHERE run_id = '%[1]s' AND seq = 2`, 2, audit.Altered},
		{"attempt", `UPDATE trace_events SET attempt = 2 WHERE run_id = '%[1]s' AND seq = 2`, 2, audit.Altered},
		{"ordinal", `UPDATE trace_events SET ordinal = 9 WHERE run_id = '%[1]s' AND seq = 5`, 5, audit.Altered},
		{"time", `UPDATE trace_events SET at = (SELECT at FROM trace_events WHERE run_id = '%[1]s' AND seq = 1)
			WHERE run_id = '%[1]s' AND seq = 2`, 2, audit.Altered},
		{"removed", `DELETE FROM trace_events WHERE run_id = '%[1]s' AND seq = 3`, 3, audit.Missing},
		{"first removed", `DELETE FROM trace_events WHERE run_id = '%[1]s' AND seq = 1`, 1, audit.Missing},
		{"tail cut", `DELETE FROM trace_events WHERE run_id = '%[1]s' AND seq >= 4`, 4, audit.Truncated},
		{"emptied", `DELETE FROM trace_events WHERE run_id = '%[1]s'`, 1, audit.Truncated},
		{"hash blanked", `UPDATE trace_events SET hash = '' WHERE run_id = '%[1]s' AND seq = 2`, 2, audit.Blanked},
		{"all hashes blanked", `UPDATE trace_events SET hash = '', prev_hash = '' WHERE run_id = '%[1]s'`, 1, audit.Blanked},
		{"link blanked", `UPDATE trace_events SET prev_hash = '' WHERE run_id = '%[1]s' AND seq = 4`, 4, audit.Blanked},
		{"reordered", `UPDATE trace_events SET seq = -2 WHERE run_id = '%[1]s' AND seq = 2;
			UPDATE trace_events SET seq = 2 WHERE run_id = '%[1]s' AND seq = 3;
			UPDATE trace_events SET seq = 3 WHERE run_id = '%[1]s' AND seq = -2`, 2, audit.Reordered},
		{"trail of another run", `DELETE FROM trace_events WHERE run_id = '%[1]s';
			INSERT INTO trace_events SELECT '%[1]s', seq, call_site, attempt, type, ordinal, actor_type, actor_id, at, data, prev_hash, hash
			FROM trace_events WHERE run_id = '%[2]s'`, 1, audit.Foreign},
		{"head removed", `DELETE FROM trace_heads WHERE run_id = '%[1]s'`, 5, audit.Head},
		{"head altered", `UPDATE trace_heads SET hash = prev_hash WHERE run_id = '%[1]s'`, 5, audit.Head},
		{"extra event", `INSERT INTO trace_events SELECT run_id, 0, 'x', attempt, type, ordinal, actor_type, actor_id, at, data, prev_hash, hash
			FROM trace_events WHERE run_id = '%[1]s' AND seq = 1`, 0, audit.Unreadable},
	}
	appendN(t, s, "sound", 5)
	for i, c := range cases {
		runID := fmt.Sprint("run", i)
		appendN(t, s, runID, 5)
		wantIntact(t, s, runID, 5)
		tamper(t, s, fmt.Sprintf(c.sql, runID, "sound"))
		report, err := audit.Verify(background(), s, runID)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if report.Intact() || report.Problem.Kind != c.kind || report.Problem.Seq != c.seq {
			t.Errorf("%s: got %+v, want %s at %d", c.name, report.Problem, c.kind, c.seq)
		}
	}
	wantIntact(t, s, "sound", 5)
	forged(t, s)
}

// forged appends an event that is sound by itself but hangs off no other.
func forged(t *testing.T, s store.Store) {
	got := appendN(t, s, "forged", 2)
	e := got[1]
	e.PrevHash = digest("elsewhere")
	tamper(t, s, fmt.Sprintf(`UPDATE trace_events SET prev_hash = '%s', hash = '%s' WHERE run_id = 'forged' AND seq = 2`,
		e.PrevHash, audit.Hash(e.PrevHash, e)))
	report := get[audit.Report](t)(audit.Verify(background(), s, "forged"))
	if report.Intact() || report.Problem.Kind != audit.Unlinked || report.Problem.Seq != 2 {
		t.Errorf("forged: got %+v", report.Problem)
	}
}

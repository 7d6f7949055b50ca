package sqlite_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
)

// Pages come out of an index: no listing scans or sorts a table.
func TestPagesUseAnIndex(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	opened(t, path)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, query := range []string{
		`SELECT * FROM runs WHERE (started_at, run_id) < ('x','y') ORDER BY started_at DESC, run_id DESC LIMIT 50`,
		`SELECT * FROM runs WHERE workflow = 'w' AND (started_at, run_id) < ('x','y') ORDER BY started_at DESC, run_id DESC LIMIT 50`,
		`SELECT * FROM runs WHERE env = 'e' ORDER BY started_at DESC, run_id DESC LIMIT 50`,
		`SELECT * FROM runs WHERE status = 's' ORDER BY started_at DESC, run_id DESC LIMIT 50`,
		`SELECT * FROM approvals WHERE (opened_at, approval_id) < ('x','y') ORDER BY opened_at DESC, approval_id DESC LIMIT 50`,
		`SELECT * FROM approvals WHERE status = 'open' ORDER BY opened_at DESC, approval_id DESC LIMIT 50`,
		`SELECT * FROM approvals WHERE run_id = 'r' ORDER BY opened_at DESC, approval_id DESC LIMIT 50`,
		`SELECT * FROM trace_events WHERE run_id = 'r' AND seq > 5 ORDER BY seq LIMIT 50`,
		`SELECT * FROM run_steps WHERE run_id = 'r' ORDER BY started_at, call_site, attempt LIMIT 50`,
		`SELECT * FROM applies WHERE env = 'e' AND at < 'x' ORDER BY at DESC, id DESC LIMIT 50`,
		`SELECT * FROM effects WHERE run_id = 'r' ORDER BY prepared_at, operation_id`,
		`SELECT * FROM effects WHERE approval_id = 'a' AND approval_id <> ''`,
		`SELECT * FROM applied_resources WHERE env = 'e' ORDER BY kind, name`,
	} {
		plan := explain(t, db, query)
		scans := strings.Contains(plan, "SCAN") && !strings.Contains(plan, "USING INDEX") && !strings.Contains(plan, "USING COVERING INDEX")
		if scans || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s\n%s", query, plan)
		}
	}
}

func explain(t *testing.T, db *sql.DB, query string) string {
	t.Helper()
	rows, err := db.Query("EXPLAIN QUERY PLAN " + query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		out = append(out, detail)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, "\n")
}

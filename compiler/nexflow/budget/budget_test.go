package budget

import (
	"maps"
	"strings"
	"testing"
)

var commands = []Command{Discover, Validate, Inspect, Graph, Init, Help, Version}

func TestEveryCommandHasItsBudget(t *testing.T) {
	t.Parallel()
	if n := len(frozen()); n != len(commands) {
		t.Errorf("%d entries for %d commands", n, len(commands))
	}
	for _, c := range commands {
		if err := Check(c); err != nil {
			t.Errorf("%s: %v", c, err)
		}
		e := frozen()[c]
		if len(e) != 10 {
			t.Errorf("%s has %d effects", c, len(e))
		}
		for _, effect := range forbidden {
			if e[effect] {
				t.Errorf("%s allows %s", c, effect)
			}
		}
		if reads := c != Help && c != Version; e[ProjectRead] != reads {
			t.Errorf("%s reads: %v", c, e[ProjectRead])
		}
		if e[ProjectWrite] != (c == Init) {
			t.Errorf("%s writes: %v", c, e[ProjectWrite])
		}
	}
}

// TestBadTablesAreRefused is fail closed, for every command and every effect.
func TestBadTablesAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range commands {
		refuse := func(what string, change func(Table)) {
			t.Helper()
			bad := frozen()
			change(bad)
			if err := bad.Check(c); err == nil || !strings.Contains(err.Error(), string(c)) {
				t.Errorf("%s, %s: %v", c, what, err)
			}
		}
		refuse("no entry", func(b Table) { delete(b, c) })
		refuse("empty entry", func(b Table) { b[c] = Entry{} })
		refuse("unknown effect", func(b Table) { b[c]["telemetry"] = false })
		refuse("unknown effect, allowed", func(b Table) { b[c]["telemetry"] = true })
		for effect := range maps.Keys(entry()) {
			refuse("without "+string(effect), func(b Table) { delete(b[c], effect) })
		}
		for _, effect := range forbidden {
			refuse("allows "+string(effect), func(b Table) { b[c][effect] = true })
		}
		if c != Init {
			refuse("writes", func(b Table) { b[c][ProjectWrite] = true })
		}
	}
	if Check("run") == nil || Check("") == nil {
		t.Error("a command that does not exist has a budget")
	}
}

// TestTheTableIsFrozen: what somebody does to one copy does not reach Check.
func TestTheTableIsFrozen(t *testing.T) {
	t.Parallel()
	copied := frozen()
	copied[Validate][Network] = true
	delete(copied, Graph)
	for _, c := range commands {
		if err := Check(c); err != nil {
			t.Error(err)
		}
	}
}

package cases

import (
	"maps"
	"os"
	"slices"
	"sync"
	"testing"
)

// suite is a table of cases with the sets it is about.
type suite struct {
	// sets leads from the letters of a table to folders.
	sets map[string]string
	rows []row
	// free is the changes of rows that the language does not say.
	free map[string]step

	mu   sync.Mutex
	base map[string][]finding
}

// readSuite reads the rows of a table file.
func readSuite(t *testing.T, file string, sets map[string]string, free map[string]step) *suite {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := readRows(readTables(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) == 0 {
		t.Fatalf("%s has no case", file)
	}
	return &suite{sets: sets, rows: rows, free: free, base: map[string][]finding{}}
}

// unchanged gives the findings of a set as it is.
func (s *suite) unchanged(t *testing.T, set string) []finding {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if f, ok := s.base[set]; ok {
		return f
	}
	w := copySet(t, s.sets[set])
	f := ask(t, nil, "validate", "--root", w.root).findings()
	s.base[set] = f
	return f
}

// steps gives the change of a row.
func (s *suite) steps(r row) ([]step, error) {
	if f, ok := s.free[r.id]; ok {
		return []step{f}, nil
	}
	return readChange(r.change)
}

// prepare makes the set of a row with its change.
func (s *suite) prepare(t *testing.T, r row) *workspace {
	t.Helper()
	from, ok := s.sets[r.set]
	if !ok {
		t.Fatalf("no set is called %q", r.set)
	}
	steps, err := s.steps(r)
	if err != nil {
		t.Fatal(err)
	}
	w := copySet(t, from)
	for _, apply := range steps {
		if err := apply(w); err != nil {
			t.Fatalf("change %q: %v", r.change, err)
		}
	}
	return w
}

// run makes every row a test of its own.
func (s *suite) run(t *testing.T) {
	for _, r := range s.rows {
		t.Run(r.id, func(t *testing.T) {
			t.Parallel()
			w := s.prepare(t, r)
			before := photograph(t, w.outer)
			args := append([]string{"validate", "--root", w.root}, w.choose...)
			a := ask(t, []string{w.outer}, args...)
			again := ask(t, nil, args...)
			strict := ask(t, []string{w.outer}, append(args, "--strict")...)
			if after := photograph(t, w.outer); after != before {
				t.Errorf("the folder was\n%sand is\n%s", before, after)
			}
			if a.out != again.out {
				t.Errorf("the second answer differs:\n%s%s", a.out, again.out)
			}
			for _, fault := range compare(r, fresh(a.findings(), s.unchanged(t, r.set))) {
				t.Error(fault)
			}
			if want := statuses(r.failing); !maps.Equal(a.Checks, want) {
				t.Errorf("checks are %v instead of %v", a.Checks, want)
			}
			if a.exit != r.exit || strict.exit != r.strict {
				t.Errorf("exit %d, strict %d, instead of %d and %d", a.exit, strict.exit, r.exit, r.strict)
			}
			if !slices.Equal(a.findings(), strict.findings()) {
				t.Error("--strict changes more than effective severities")
			}
		})
	}
}

// everyRowIsUnderstood fails for rows that neither the language nor a function of
// their own can apply, for functions without a row and for ids given twice.
func (s *suite) everyRowIsUnderstood(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range s.rows {
		if seen[r.id] {
			t.Errorf("row %s is there twice", r.id)
		}
		seen[r.id] = true
		if _, err := s.steps(r); err != nil {
			t.Errorf("row %s: %v", r.id, err)
		}
		if _, ok := s.sets[r.set]; !ok {
			t.Errorf("row %s: no set is called %q", r.id, r.set)
		}
	}
	for id := range s.free {
		if !seen[id] {
			t.Errorf("row %s has a function, but the table does not have the row", id)
		}
	}
}

// everyChangeApplies fails for rows whose change misses its place in the set.
func (s *suite) everyChangeApplies(t *testing.T) {
	for _, r := range s.rows {
		t.Run(r.id, func(t *testing.T) {
			t.Parallel()
			s.prepare(t, r)
		})
	}
}

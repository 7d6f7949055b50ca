package cases

import (
	"path/filepath"
	"slices"
	"testing"

	"terfyn/internal/sharedtest"
)

// sampleSets is the letters of the specification's table.
var sampleSets = map[string]string{
	"M":  "examples/minimal-team",
	"S":  "examples/software-team",
	"U":  "examples/startup-team",
	"P":  "examples/product-delivery-team",
	"OS": "examples/open-source-maintainer",
	"F":  "fixtures/discovery/multi-workflow",
	"K":  "fixtures/cli/valid/minimal-project",
}

// sample gives the folder of a sample set by its letter.
func sample(t *testing.T, letter string) string {
	t.Helper()
	return sharedtest.Path(t, "data", "nexflow", filepath.FromSlash(sampleSets[letter]))
}

func sharedSuite(t *testing.T) *suite {
	t.Helper()
	sets := map[string]string{}
	for letter := range sampleSets {
		sets[letter] = sample(t, letter)
	}
	return readSuite(t, sharedtest.Path(t, "data", "nexflow-cases.md"), sets, freeChanges)
}

func TestEverySharedRowIsUnderstood(t *testing.T) {
	t.Parallel()
	sharedSuite(t).everyRowIsUnderstood(t)
}

func TestEverySharedChangeApplies(t *testing.T) {
	t.Parallel()
	sharedSuite(t).everyChangeApplies(t)
}

func TestSharedRows(t *testing.T) {
	t.Parallel()
	sharedSuite(t).run(t)
}

// shownBy says which test holds a row of section 7: one of this package, or one that
// needs what this package does not have.
var shownBy = map[string]any{
	"V01": TestSharedV01, "V02": TestSharedV02, "V03": TestInspectionLimits, "V04": TestPlacesSortAsText, "V06": TestSharedV06, "V07": TestStrictMarksWarnings,
	"U01": TestMisuse, "U02": TestMisuse, "U03": TestFormatThatIsNone, "U04": TestNothingRuns, "U06": TestClosedOutput,
	"N11": TestInit, "N12": TestInit, "N13": TestInit, "N14": TestInit, "N16": TestInitDestinations, "N17": TestInitReadOnly, "N18": TestMisuse, "N19": TestInitNames,
	"B01": "internal/effectproof", "B02": "internal/effectproof", "B03": "internal/effectproof", "B04": "internal/effectproof", "B06": "internal/effectproof", "B07": "internal/effectproof",
	"T01": TestSharedT01,
}

// TestEverySharedBehaviourIsShown fails for a row of section 7 that nobody has.
func TestEverySharedBehaviourIsShown(t *testing.T) {
	t.Parallel()
	found := 0
	for _, tb := range readTables(sharedText(t)) {
		if !slices.Equal(tb.header, []string{"id", "do", "expect"}) {
			continue
		}
		for _, cells := range tb.rows {
			found++
			if shownBy[cells[0]] == nil {
				t.Errorf("nothing shows row %s", cells[0])
			}
		}
	}
	if found < len(shownBy) {
		t.Errorf("%d rows for %d tests", found, len(shownBy))
	}
}

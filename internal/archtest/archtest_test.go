package archtest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestModuleKeepsTheLaw(t *testing.T) {
	t.Parallel()
	packages, err := List(t.Context(), "../..", "./...")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range Check(Terfyn(), packages) {
		t.Error(b)
	}
}

// TestBreachesAreFound runs made-up laws over two packages that break them.
func TestBreachesAreFound(t *testing.T) {
	t.Parallel()
	const base = "terfyn/internal/archtest/testdata"
	packages, err := List(t.Context(), ".", "./testdata/lower", "./testdata/upper")
	if err != nil {
		t.Fatal(err)
	}
	cmpOnly := []string{"github.com/google/go-cmp"}
	for _, c := range []struct {
		name string
		law  Law
		want []string
	}{
		{"kept", Law{Layers: []Layer{{Of: "lower", Own: []string{"upper"}}, {Of: "upper", Foreign: cmpOnly}}}, nil},
		{"upward, standard library, foreign", Law{Layers: []Layer{{Of: "lower", Never: []string{"os"}}, {Of: "upper"}}}, []string{
			"lower must not import os", "lower must not import upper", "upper must not import github.com/google/go-cmp/cmp",
		}},
		{"no layer, no package", Law{Layers: []Layer{{Of: "lower", Own: []string{"upper", "lowest"}}}}, []string{
			"the law names lowest, and there is no such package", "upper is in no layer of the law",
		}},
		{"test support", Law{Layers: []Layer{{Of: "lower", Own: []string{"upper"}}, {Of: "upper", Foreign: cmpOnly}}, TestOnly: []string{"upper"}}, []string{
			"lower must not import upper, which is for tests",
		}},
		{"reach", Law{
			Layers: []Layer{{Of: "lower", Own: []string{"upper"}}, {Of: "upper", Foreign: cmpOnly}},
			Reach:  []Reach{{Of: "lower", Own: []string{}, Never: []string{"os"}}, {Of: "lower", Never: []string{"net/http"}, Except: cmpOnly}},
		}, []string{
			"lower must not reach net/http (lower → " + base + "/upper → net/http)",
			"lower must not reach os (lower → os)",
			"lower must not reach upper (lower → " + base + "/upper)",
		}},
		{"reach with an exception", Law{
			Layers: []Layer{{Of: "lower", Own: []string{"upper"}}, {Of: "upper", Foreign: cmpOnly}},
			Reach:  []Reach{{Of: "lower", Never: []string{"net/http"}, Except: []string{base + "/upper"}}},
		}, nil},
	} {
		c.law.Module = base
		if diff := cmp.Diff(c.want, Check(c.law, packages)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestListNamesWhatWasAsked(t *testing.T) {
	t.Parallel()
	if _, err := List(t.Context(), ".", "./testdata/absent"); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("an absent package: %v", err)
	}
}

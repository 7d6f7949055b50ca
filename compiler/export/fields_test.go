package export_test

import (
	"os"
	"reflect"
	"testing"

	"terfyn/compiler/resource"
)

// TestBehaviour236EveryFieldComesBack exports a project that sets every field there
// is, and makes sure that it does: a new field of a resource fails here until the
// archive has it.
func TestBehaviour236EveryFieldComesBack(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/full.txtar")
	if err != nil {
		t.Fatal(err)
	}
	c := compile(t, archive(string(b)))
	checkRoundTrip(t, c)
	seen := map[string]bool{}
	visit(reflect.ValueOf(c.Graph), seen)
	for field, set := range seen {
		if !set {
			t.Errorf("%s is set nowhere in testdata/full.txtar", field)
		}
	}
	if len(seen) < reflect.TypeFor[resource.Policy]().NumField() {
		t.Error("no fields were looked at")
	}
}

// visit notes for every field, by type and name, whether it is set anywhere.
func visit(v reflect.Value, seen map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			visit(v.Elem(), seen)
		}
	case reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), seen)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			visit(v.MapIndex(k), seen)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Name() + "." + v.Type().Field(i).Name
			seen[name] = seen[name] || !v.Field(i).IsZero()
			visit(v.Field(i), seen)
		}
	}
}

// Package docs holds the documents. Its tests compare what they draw and name
// with the code.
package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stateTypes maps the sections of states.md to the types whose constants they draw.
var stateTypes = map[string]string{
	"Run": "RunStatus", "Step": "StepStatus", "Approval": "ApprovalStatus", "Effect": "EffectState",
}

func TestDrawnStatesAreThoseOfTheCode(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("states.md")
	if err != nil {
		t.Fatal(err)
	}
	drawn := drawnStates(string(b))
	constants := stateConstants(t)
	for section, typ := range stateTypes {
		if diff := cmp.Diff(constants[typ], drawn[section]); diff != "" {
			t.Errorf("section %s differs from the constants of store.%s (-code +drawn):\n%s", section, typ, diff)
		}
	}
	if len(drawn) != len(stateTypes) {
		t.Errorf("states.md draws %d sections, the test knows %d", len(drawn), len(stateTypes))
	}
}

var arrow = regexp.MustCompile(`(?m)^\s+(\S+) --> ([^\s:]+)`)

// drawnStates gives the states of every diagram by its section.
func drawnStates(text string) map[string][]string {
	out := map[string][]string{}
	for _, section := range strings.Split(text, "\n## ")[1:] {
		name, body, _ := strings.Cut(section, "\n")
		var states []string
		for _, m := range arrow.FindAllStringSubmatch(body, -1) {
			for _, s := range m[1:] {
				if s != "[*]" && !slices.Contains(states, s) {
					states = append(states, s)
				}
			}
		}
		slices.Sort(states)
		out[name] = states
	}
	return out
}

// stateConstants gives the values of the string constants of package store by type.
func stateConstants(t *testing.T) map[string][]string {
	t.Helper()
	files, err := filepath.Glob("../store/*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			typ, ok := spec.Type.(*ast.Ident)
			if !ok {
				return true
			}
			for _, v := range spec.Values {
				if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					s, err := strconv.Unquote(lit.Value)
					if err != nil {
						t.Fatal(err)
					}
					out[typ.Name] = append(out[typ.Name], s)
				}
			}
			return true
		})
	}
	for _, values := range out {
		slices.Sort(values)
	}
	return out
}

func TestDrawnStatesReadsArrows(t *testing.T) {
	t.Parallel()
	got := drawnStates("# S\n## Run\n\n    [*] --> a\n    a --> b: why\n    b --> [*]\n")
	if diff := cmp.Diff(map[string][]string{"Run": {"a", "b"}}, got); diff != "" {
		t.Error(diff)
	}
}

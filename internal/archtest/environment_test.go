package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// environment is what tells a program about its surroundings, by package.
var environment = map[string][]string{
	"os":      {"Getenv", "LookupEnv", "Environ", "ExpandEnv", "Expand", "UserHomeDir", "UserConfigDir", "UserCacheDir", "Hostname"},
	"syscall": {"Getenv", "Environ"},
	"os/user": {"Current", "Lookup", "LookupId"},
}

// TestManifestCommandsAskNoEnvironment: own files of the group have no way to a
// variable, a home folder or a user.
func TestManifestCommandsAskNoEnvironment(t *testing.T) {
	t.Parallel()
	for _, root := range []string{"../../compiler/nexflow", "../../cmd/internal/nexflow", "../../cmd/internal/nexfile", "../../cmd/internal/cli/nexflow.go"} {
		asked, files, err := asksEnvironment(root)
		if err != nil {
			t.Fatal(err)
		}
		if files == 0 {
			t.Errorf("%s has no files", root)
		}
		for _, a := range asked {
			t.Error(a)
		}
	}
}

func TestAskingTheEnvironmentIsFound(t *testing.T) {
	t.Parallel()
	asked, files, err := asksEnvironment("testdata/environment")
	if err != nil || files != 1 {
		t.Fatal(files, err)
	}
	want := []string{"os.Getenv", "os.LookupEnv", "syscall.Getenv", "os.UserHomeDir", "os.Environ", "os.ExpandEnv"}
	for i, line := range []int{11, 12, 13, 14, 15, 15} {
		want[i] = fmt.Sprintf("testdata/environment/environment.go:%d: %s", line, want[i])
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
}

// asksEnvironment lists where files below root use something of environment, without
// those of tests, and counts the files it has read.
func asksEnvironment(root string) (asked []string, files int, err error) {
	set := token.NewFileSet()
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata" && path != root:
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		files++
		names := importNames(file)
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if pkg := names[receiver(s)]; slices.Contains(environment[pkg], s.Sel.Name) {
					at := set.Position(s.Pos())
					asked = append(asked, fmt.Sprintf("%s:%d: %s.%s", filepath.ToSlash(at.Filename), at.Line, pkg, s.Sel.Name))
				}
			}
			return true
		})
		return nil
	})
	return asked, files, err
}

// importNames is the packages of environment that a file imports, by the name they
// have in it.
func importNames(file *ast.File) map[string]string {
	names := map[string]string{}
	for _, i := range file.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if _, listed := environment[path]; err != nil || !listed {
			continue
		}
		name := path[strings.LastIndex(path, "/")+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		names[name] = path
	}
	return names
}

func receiver(s *ast.SelectorExpr) string {
	if id, ok := s.X.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

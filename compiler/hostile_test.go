package compiler_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"terfyn/compiler"
	"terfyn/compiler/diag"
)

// hugeFS holds one source file of 100 MB and counts what is read of it.
type hugeFS struct {
	fstest.MapFS
	read int64
}

const hugeSize = 100 << 20

type hugeFile struct {
	fs.File
	fs *hugeFS
}

type hugeInfo struct{ fs.FileInfo }

func (hugeInfo) Size() int64 { return hugeSize }

func (h *hugeFS) Open(name string) (fs.File, error) {
	f, err := h.MapFS.Open(name)
	if err != nil || name != "huge.agent" {
		return f, err
	}
	return &hugeFile{f, h}, nil
}

func (h *hugeFS) Stat(name string) (fs.FileInfo, error) {
	info, err := h.MapFS.Stat(name)
	if err != nil || name != "huge.agent" {
		return info, err
	}
	return hugeInfo{info}, nil
}

func (h *hugeFS) ReadFile(string) ([]byte, error) { panic("the file is read as a whole") }

func (f *hugeFile) Read(b []byte) (int, error) {
	f.fs.read += int64(len(b))
	return len(b), nil
}

// TestHugeSourceIsNotRead: a file beyond the limit is one error and is not read.
func TestHugeSourceIsNotRead(t *testing.T) {
	t.Parallel()
	fsys := &hugeFS{MapFS: fstest.MapFS{"huge.agent": {Data: []byte("agent A { }")}}}
	_, ds := compiler.Compile(fsys, compiler.Options{Project: "p"})
	if len(ds) != 1 || ds[0].Severity != diag.Error || !strings.Contains(ds[0].Message(), "104857600 bytes") {
		t.Errorf("want one error about the size, got:\n%s", ds)
	}
	if fsys.read > 0 {
		t.Errorf("%d bytes were read", fsys.read)
	}
}

// TestLinksOnDisk compiles real directories: links that lead out, in circles, or
// back up to the root.
func TestLinksOnDisk(t *testing.T) {
	t.Parallel()
	const agent = "agent A { model mock/default instructions file(\"prompts/a.md\") }\n"
	for name, c := range map[string]struct {
		links map[string]string // name to target
		want  string            // "" = the project compiles
	}{
		"prompt inside":       {map[string]string{"prompts/a.md": "real.md"}, ""},
		"prompt outside":      {map[string]string{"prompts/a.md": "../../outside/secret.md"}, "leaves the project root"},
		"prompt by absolute":  {map[string]string{"prompts/a.md": "/dev/zero"}, "leaves the project root"},
		"prompt loop":         {map[string]string{"prompts/a.md": "b.md", "prompts/b.md": "a.md"}, "prompts/a.md"},
		"directory outside":   {map[string]string{"prompts/a.md": "real.md", "more": "../outside"}, "more is a symbolic link to a folder; the .agent files in it are not read"},
		"directory of none":   {map[string]string{"prompts/a.md": "real.md", "more": "../docs"}, ""},
		"directory inside":    {map[string]string{"prompts/a.md": "real.md", "more": "prompts"}, ""},
		"hidden directory":    {map[string]string{"prompts/a.md": "real.md", "more": ".kept"}, "more is a symbolic link"},
		"deep directory":      {map[string]string{"prompts/a.md": "real.md", "prompts/more": "../.."}, "prompts/more is a symbolic link"},
		"directory loop":      {map[string]string{"prompts/a.md": "real.md", "again": ".", "prompts/up": ".."}, ""},
		"source loop":         {map[string]string{"prompts/a.md": "real.md", "x.agent": "y.agent", "y.agent": "x.agent"}, "x.agent cannot be read"},
		"source is directory": {map[string]string{"prompts/a.md": "real.md", "dir.agent": "prompts"}, "dir.agent cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base := t.TempDir()
			writeFile(t, base, "project/main.agent", agent)
			writeFile(t, base, "project/prompts/real.md", "Be brief.")
			writeFile(t, base, "outside/secret.md", "SECRET")
			writeFile(t, base, "outside/b.agent", "agent B {")
			writeFile(t, base, "docs/a.md", "text")
			writeFile(t, base, "project/.kept/b.agent", "agent B {")
			for link, target := range c.links {
				if err := os.Symlink(filepath.FromSlash(target), filepath.Join(base, "project", filepath.FromSlash(link))); err != nil {
					t.Fatal(err)
				}
			}
			r, ds := compiler.Compile(os.DirFS(filepath.Join(base, "project")), compiler.Options{Project: "p"})
			text := ds.String()
			switch {
			case c.want == "" && (len(ds) > 0 || len(r.Graph.Agents) != 1 || r.Graph.Agents[0].Instructions != "Be brief."):
				t.Errorf("agents %v, diagnostics:\n%s", r.Graph.Agents, text)
			case c.want != "" && (!ds.HasErrors() || !strings.Contains(text, c.want)):
				t.Errorf("diagnostics do not mention %q:\n%s", c.want, text)
			}
			if strings.Contains(text, "SECRET") || strings.Contains(text, base) {
				t.Errorf("a message shows what lies outside:\n%s", text)
			}
		})
	}
}

// TestOddFileNames: the name of a file cannot add a line to what is said, and a name
// that is no text is told for what it is.
func TestOddFileNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a\nb.agent:1:1: forged.agent": `"a\nb.agent:1:1: forged.agent":1:10: `,
		"a\u202eb.agent":               `"a\u202eb.agent":1:10: `,
		"a\x1b[2J.agent":               `"a\x1b[2J.agent":1:10: `,
		"caf\u00e9 x.agent":            "caf\u00e9 x.agent:1:10: ",
	} {
		_, ds := compiler.Compile(fstest.MapFS{name: {Data: []byte("agent B {")}}, compiler.Options{Project: "p"})
		if len(ds) == 0 || !strings.HasPrefix(diag.Plain(ds[0]), want) || strings.Contains(ds.String(), "\nb") {
			t.Errorf("%q:\n%s", name, ds)
		}
	}
	base := t.TempDir()
	writeFile(t, base, "bad\xff.agent", "agent B { model mock/m }")
	_, ds := compiler.Compile(os.DirFS(base), compiler.Options{Project: "p"})
	if text := ds.String(); !strings.Contains(text, `"bad\xff.agent" cannot be read: the file name is not valid UTF-8`) {
		t.Errorf("diagnostics:\n%s", text)
	}
}

func writeFile(t *testing.T, base, name, text string) {
	t.Helper()
	path := filepath.Join(base, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

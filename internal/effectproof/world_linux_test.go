//go:build amd64 || arm64

package effectproof

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"terfyn/internal/cage"
)

// world is everything around one project: BASE/around/set is the project, ROOT;
// BASE/work holds a file that is no part of it; BASE/home is the home folder.
type world struct {
	base, parent, root, home string
	env                      []string

	mu      sync.Mutex
	answers map[string]output // of calls outside of the cage, by their arguments
}

// secrets are environment variables that look like credentials; the value of each is a
// canary, and so are the user's name and what the home folder holds.
var secrets = []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "TEMPORAL_API_KEY", "NPM_TOKEN"}

// canary begins all of those values.
const canary = "canary-7f3a"

// newWorld makes a world around a project that fill writes.
func newWorld(t testing.TB, fill func(t testing.TB, root string)) *world {
	t.Helper()
	base, err := openFolder("effectproof-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	w := &world{answers: map[string]output{}, base: base, parent: filepath.Join(base, "around"), home: filepath.Join(base, "home")}
	w.root = filepath.Join(w.parent, "set")
	files := map[string]string{
		"around/neighbour.yaml":           "not: [part of\n",
		"home/.netrc":                     "machine example.com login me password " + canary + "-netrc\n",
		"home/.config/terfyn/config.yaml": "# " + canary + "-config\n{}\n",
		"home/.agentic/local.yaml":        "# " + canary + "-local\n{}\n",
	}
	for name, text := range files {
		write(t, filepath.Join(base, name), text)
	}
	if err := os.MkdirAll(w.root, 0o755); err != nil {
		t.Fatal(err)
	}
	fill(t, w.root)
	w.env = []string{"HOME=" + w.home, "USER=" + canary + "-user", "LOGNAME=" + canary + "-user"}
	for _, name := range secrets {
		w.env = append(w.env, name+"="+canary+"-"+strings.ToLower(name))
	}
	return w
}

// write writes a file and the folders above it.
func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// command is one call of terfyn. In the arguments and the budget ROOT, BASE and HOME
// stand for the folders of the world.
type command struct {
	args   string
	budget string
	cage   cage.Command // how else the cage is to run it
	env    []string     // instead of the world's
}

func (w *world) words(text string) []string {
	return strings.Fields(strings.NewReplacer("ROOT", w.root, "BASE", w.base, "HOME", w.home).Replace(text))
}

func (w *world) inside(t testing.TB, c command) cage.Result {
	t.Helper()
	run := c.cage
	run.Path, run.Args, run.Budget, run.Env = built.path(t), w.words(c.args), w.words(c.budget), w.env
	if c.env != nil {
		run.Env = c.env
	}
	if run.Dir == "" {
		run.Dir = w.parent
	}
	r, err := cage.Run(run)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// output is what a call shows.
type output struct {
	code           int
	stdout, stderr string
}

// said is what a call in the cage shows.
func said(r cage.Result) output {
	return output{r.ExitCode, string(r.Stdout), string(r.Stderr)}
}

// expected is what a reading command shows outside of the cage; it runs once.
func (w *world) expected(t testing.TB, args string) output {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.answers[args]; !known {
		w.answers[args] = w.outside(t, args)
	}
	return w.answers[args]
}

// outside runs a command without the cage.
func (w *world) outside(t testing.TB, args string) output {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(built.path(t), w.words(args)...)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = w.env, w.parent, &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return output{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// ambientReads are what any call of the program reads beside its arguments, each for a
// reason.
var ambientReads = []struct {
	path *regexp.Regexp
	why  string
}{
	{regexp.MustCompile(`^/etc/ld(\.so\.(cache|preload)|-musl-.*\.path)$`), "the dynamic linker, where the program was built with cgo"},
	{regexp.MustCompile(`^(/usr)?/lib(64)?/.*\.so(\.[0-9]+)*$`), "the C library, the same"},
	{regexp.MustCompile(`^/proc/self/maps$`), "the C library, to find the bounds of a stack"},
	{regexp.MustCompile(`^/proc/self/(cgroup|mountinfo)$`), "the Go runtime, to find how many processors it may use"},
	{regexp.MustCompile(`^/sys/fs/cgroup(/.*)?/cpu\.(max|cfs_quota_us|cfs_period_us)$`), "the same"},
	{regexp.MustCompile(`^/sys/kernel/mm/transparent_hugepage/hpage_pmd_size$`), "the Go runtime, to lay out its memory"},
	{regexp.MustCompile(`^/proc/self/exe$`), "the protobuf library, to find the executable"},
	{regexp.MustCompile(`^/etc/localtime$|^/usr/share/zoneinfo/`), "the Go library, when a TOML library asks for the time zone as it starts"},
}

// ambient tells whether any call of the program reads path. The executable is read by
// the protobuf library, which seeds itself with a digest of it.
func ambient(path string) bool {
	if path == built.file() {
		return true
	}
	for _, a := range ambientReads {
		if a.path.MatchString(path) {
			return true
		}
	}
	return false
}

// own lists the paths that a command opened or asked about itself, sorted, those in the
// project relative to it.
func (w *world) own(paths []string) []string {
	var out []string
	for _, p := range paths {
		if ambient(p) {
			continue
		}
		if p == w.root || strings.HasPrefix(p, w.root+"/") {
			p, _ = filepath.Rel(w.root, p)
		}
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

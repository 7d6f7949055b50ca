package nexfile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"terfyn/compiler/nexflow/discovery"
)

// TestDiscoverRealFiles runs discovery over links and folders on disk (cases D06, D07
// and D08, and a root that is reached through a link).
func TestDiscoverRealFiles(t *testing.T) {
	t.Parallel()
	const head = "specVersion: '0.1'\nmetadata: {project: p}\n"
	for name, c := range map[string]struct {
		hint   string
		change func(dir string) error
		want   []string
	}{
		"unchanged": {"actors.yaml", func(string) error { return nil }, nil},
		"D06": {"actors.yaml", func(dir string) error {
			if err := os.Rename(filepath.Join(dir, "actors.yaml"), filepath.Join(filepath.Dir(dir), "actors.yaml")); err != nil {
				return err
			}
			return os.Symlink("../actors.yaml", filepath.Join(dir, "actors.yaml"))
		}, []string{"NF-DISCOVERY-UNSAFE-SOURCE actors.yaml symlink"}},
		"D07": {"link/actors.yaml", func(dir string) error { return os.Symlink(".", filepath.Join(dir, "link")) }, []string{"NF-DISCOVERY-UNSAFE-SOURCE link/actors.yaml symlink"}},
		"D08": {"actors.yaml", func(dir string) error {
			if err := os.Rename(filepath.Join(dir, "project.yaml"), filepath.Join(dir, "p2.yaml")); err != nil {
				return err
			}
			return os.Symlink("p2.yaml", filepath.Join(dir, "project.yaml"))
		}, []string{"NF-DISCOVERY-NO-PROJECT <input> ", "NF-DISCOVERY-UNSAFE-SOURCE project.yaml symlink"}},
		"a folder": {"folder.yaml", func(dir string) error { return os.Mkdir(filepath.Join(dir, "folder.yaml"), 0o755) }, []string{"NF-DISCOVERY-UNSAFE-SOURCE folder.yaml not-regular"}},
		"missing":  {"none.yaml", func(string) error { return nil }, []string{"NF-DISCOVERY-UNSAFE-SOURCE none.yaml unreadable"}},
		"too large": {"large.yaml", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "large.yaml"), make([]byte, 1<<20+1), 0o644)
		}, []string{"NF-DISCOVERY-LIMIT-EXCEEDED large.yaml size"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			above := t.TempDir()
			dir := filepath.Join(above, "set")
			put(t, dir, "project.yaml", head+"kind: Project\nproject: {id: p}\nmanifests: {actors: "+c.hint+"}\n")
			put(t, dir, "actors.yaml", head+"kind: ActorSet\nactors: []\n")
			if err := c.change(dir); err != nil {
				t.Fatal(err)
			}
			link(t, above, "set", "through")
			set, records := discovery.Discover(openRoot(t, filepath.Join(above, "through")), discovery.Selection{}, discovery.Limits{})
			var got []string
			for _, r := range records {
				got = append(got, string(r.Code)+" "+r.File+" "+string(r.Details.Reason))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
			if set != nil && len(set.Documents) != 2 {
				t.Errorf("%d documents", len(set.Documents))
			}
		})
	}
}

package golden

import "testing"

func TestArchiveFormIsKept(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "comment\n", "c\n-- a --\nx\n-- b/c --\n", "-- a --\n-- not a marker\nx --\n"} {
		if got := string(parseArchive([]byte(text)).format()); got != text {
			t.Errorf("parse and format of %q gave %q", text, got)
		}
	}
}

func TestSections(t *testing.T) {
	t.Parallel()
	a := parseArchive([]byte("-- a --\none\ntwo\n-- out/b --\n"))
	if len(a.files) != 2 || a.files[0].name != "a" || string(a.files[0].data) != "one\ntwo\n" || a.files[1].name != "out/b" {
		t.Errorf("sections: %+v", a.files)
	}
	got := sections(map[string]string{"z": "1", "a": "2\n"})
	if len(got) != 2 || got[0].name != "out/a" || string(got[1].data) != "1\n" {
		t.Errorf("produced sections: %+v", got)
	}
}

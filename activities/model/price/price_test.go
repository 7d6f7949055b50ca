package price_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terfyn/activities/model"
	"terfyn/activities/model/price"
)

func TestCostIsExact(t *testing.T) {
	t.Parallel()
	table, err := price.Parse([]byte(`{"a/m":{"input":"0.1","output":"0.3"},"a/m-mini":{"input":0.07,"output":0},"a/dear":{"input":"123456789.123456789","output":"0"}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		model     string
		in, out   int64
		want      string
		isUnknown bool
	}{
		{"a/m", 1, 1, "0.0000004", false},
		{"a/m", 0, 0, "0", false},
		{"a/m", 1000000, 2000000, "0.7", false},
		{"a/m-2024-08-06", 10000000, 0, "1", false},
		{"a/m-preview-05-20", 10, 0, "0.000001", false},
		{"a/m-mini", 100, 5, "0.000007", false},
		{"a/m-pro", 1, 1, "0", true},
		{"a/mx", 1, 1, "0", true},
		{"a/m-", 1, 1, "0", true},
		{"b/m", 1, 1, "0", true},
		{"a/dear", 9007199254740993, 0, "1111999898985515920.324993022451477", false},
	} {
		got, warnings := table.Cost(c.model, model.Usage{Input: c.in, Output: c.out})
		if got != c.want {
			t.Errorf("%s %d/%d costs %s, want %s", c.model, c.in, c.out, got, c.want)
		}
		if unknown := len(warnings) == 1 && warnings[0].Class == "price_unknown"; unknown != c.isUnknown {
			t.Errorf("%s: warnings %v", c.model, warnings)
		}
	}
}

func TestLoadOverridesTheDefaults(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "prices.json")
	if err := os.WriteFile(path, []byte(`{"openai/gpt-4o":{"input":"1","output":"1"},"lab/x":{"input":"2","output":"2"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := price.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	million := model.Usage{Input: 1000000}
	for name, want := range map[string]string{"openai/gpt-4o": "1", "lab/x": "2", "openai/gpt-4o-mini-2024-07-18": "0.15"} {
		if got, w := table.Cost(name, million); got != want || w != nil {
			t.Errorf("%s costs %s (%v), want %s", name, got, w, want)
		}
	}
	if _, err := price.Load(filepath.Join(t.TempDir(), "absent.json")); err == nil {
		t.Error("a missing price file was accepted")
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{`[]`, "object of models"}, {`{"a":{"input":"-1","output":"1"}}`, "a.input"}, {`{"a":{"input":"1"}}`, "a.output"},
		{`{"a":{"input":"1","output":"1/3"}}`, "a.output"}, {`{"a":{"input":"1","output":"1","cache":"1"}}`, "a.cache"}, {`{`, "JSON at byte"},
	} {
		if _, err := price.Parse([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

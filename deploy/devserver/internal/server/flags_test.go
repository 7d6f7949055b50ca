package server

import (
	"errors"
	"flag"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"

	enumspb "go.temporal.io/api/enums/v1"
)

func TestParseDefaults(t *testing.T) {
	t.Parallel()
	got, err := Parse(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.IP != "127.0.0.1" || got.Port != 7233 || got.HTTPPort != 0 || got.DBFilename != "" {
		t.Errorf("addresses and database: %+v", got)
	}
	if !slices.Equal(got.Namespaces, []string{"default"}) {
		t.Errorf("namespaces %q", got.Namespaces)
	}
	if got.LogLevel != slog.LevelError || got.LogFormat != "text" || len(got.Notes) != 0 {
		t.Errorf("log level %v, format %q, notes %q", got.LogLevel, got.LogFormat, got.Notes)
	}
}

// The flags are those that the SDK's testsuite.StartDevServer passes.
func TestParseFlagsOfStartDevServer(t *testing.T) {
	t.Parallel()
	got, err := Parse([]string{
		"--ip", "localhost", "--port", "45001", "--namespace", "terfyn", "--namespace=other", "--namespace", "terfyn",
		"--dynamic-config-value", "frontend.enableServerVersionCheck=false", "--log-level", "warn", "--log-format", "pretty",
		"--headless", "--db-filename", "x.db", "--ui-port", "8080", "--search-attribute", "TerfynStatus=Keyword", "--search-attribute", "N=Int",
	})
	if err != nil {
		t.Fatal(err)
	}
	if got.IP != "127.0.0.1" || got.Port != 45001 || got.DBFilename != "x.db" || got.LogLevel != slog.LevelWarn || got.LogFormat != "text" {
		t.Errorf("%+v", got)
	}
	if !slices.Equal(got.Namespaces, []string{"terfyn", "other"}) {
		t.Errorf("namespaces %q, want each once in the order given", got.Namespaces)
	}
	want := map[string]enumspb.IndexedValueType{
		"TerfynStatus": enumspb.INDEXED_VALUE_TYPE_KEYWORD, "N": enumspb.INDEXED_VALUE_TYPE_INT,
	}
	if !maps.Equal(got.SearchAttributes, want) {
		t.Errorf("search attributes %v", got.SearchAttributes)
	}
	if len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "--ui-port") {
		t.Errorf("notes %q, want one on --ui-port", got.Notes)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	cases := []struct{ flags, complaint string }{
		{"--ip 0.0.0.0", "loopback only"},
		{"--ip 192.168.0.7", "loopback only"},
		{"--ip 127.0.0.1.example.org", "loopback only"},
		{"--port 65536", "no port"},
		{"--port=-1", "no port"},
		{"--http-port 7233", "both 7233"},
		{"--port seven", "seven"},
		{"--parent-pid=-4", "no process id"},
		{"--namespace=", "needs a name"},
		{"--reset-db", "needs --db-filename"},
		{"--log-level loud", "debug, info, warn, error or never"},
		{"--log-format xml", "text, pretty or json"},
		{"--search-attribute TerfynStatus", "not NAME=TYPE"},
		{"--search-attribute TerfynStatus=Word", "use Keyword"},
		{"--search-attribute TerfynStatus=Unspecified", "use Keyword"},
		{"--search-attribute WorkflowId=Keyword", "uses this name itself"},
		{"--search-attribute A=Int --search-attribute A=Keyword", "given as Int and as Keyword"},
		{"--dynamic-config-value frontend.rps", "not KEY=JSON"},
		{"stop", `unexpected argument "stop"`},
		{"--metrics-port 1", "metrics-port"},
	}
	for _, c := range cases {
		t.Run(c.flags, func(t *testing.T) {
			t.Parallel()
			_, err := Parse(strings.Fields(c.flags))
			if err == nil || !strings.Contains(err.Error(), c.complaint) {
				t.Errorf("got %v, want a complaint with %q", err, c.complaint)
			}
		})
	}
}

func TestParseHelp(t *testing.T) {
	t.Parallel()
	if _, err := Parse([]string{"--help"}); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("got %v, want flag.ErrHelp", err)
	}
}

func TestMainAnswersAndRefuses(t *testing.T) {
	t.Parallel()
	cases := []struct {
		args           string
		code           int
		stdout, stderr string
	}{
		{"--help", exitOK, "--db-filename PATH", ""},
		{"server start-dev --help", exitOK, "--db-filename PATH", ""},
		{"", exitUsage, "", "must be"},
		{"server", exitUsage, "", "must be"},
		{"server start", exitUsage, "", "must be"},
		{"server start-dev --ip 10.0.0.1", exitUsage, "", "loopback only"},
	}
	for _, c := range cases {
		var stdout, stderr strings.Builder
		code := Main(strings.Fields(c.args), &stdout, &stderr)
		if code != c.code {
			t.Errorf("%q: exit code %d, want %d", c.args, code, c.code)
		}
		if !strings.Contains(stdout.String(), c.stdout) || (c.stdout == "") != (stdout.Len() == 0) {
			t.Errorf("%q: stdout %q, want %q in it", c.args, &stdout, c.stdout)
		}
		if !strings.Contains(stderr.String(), c.stderr) || (c.stderr == "") != (stderr.Len() == 0) {
			t.Errorf("%q: stderr %q, want %q in it", c.args, &stderr, c.stderr)
		}
	}
}

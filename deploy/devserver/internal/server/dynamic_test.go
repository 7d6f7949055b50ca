package server

import (
	"reflect"
	"strings"
	"testing"

	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/log"
)

func TestParseSettingTypes(t *testing.T) {
	t.Parallel()
	cases := []struct {
		text string
		want any
	}{
		{"500", 500},
		{"-1", -1},
		{"5.0", 5},
		{"1e3", 1000},
		{"0.5", 0.5},
		{"9007199254740993", 9007199254740993}, // a float64 would lose the 3
		{"1e30", 1e30},
		{"true", true},
		{`"10s"`, "10s"},
		{`"7"`, "7"},
		{`[1, 2.5, "a"]`, []any{1, 2.5, "a"}},
		{`{"a": {"b": 3}}`, map[string]any{"a": map[string]any{"b": 3}}},
	}
	for _, c := range cases {
		got, err := parseSetting(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %T %v, want %T %v", c.text, got, got, c.want, c.want)
		}
	}
}

// The server drops a default of a wrong Go type silently, so each is read back
// the way the server reads it.
func TestDefaultSettingsReachTheServer(t *testing.T) {
	t.Parallel()
	dc := dynamicconfig.NewCollection(defaultSettings(), log.NewNoopLogger())
	ints := map[string]struct{ got, want int }{
		"transfer poll":    {dynamicconfig.TransferProcessorMaxPollRPS.Get(dc)(), 500},
		"timer poll":       {dynamicconfig.TimerProcessorMaxPollRPS.Get(dc)(), 500},
		"read partitions":  {dynamicconfig.MatchingNumTaskqueueReadPartitions.Get(dc)("ns", "tq", 1), 1},
		"write partitions": {dynamicconfig.MatchingNumTaskqueueWritePartitions.Get(dc)("ns", "tq", 1), 1},
		"visibility":       {dynamicconfig.FrontendMaxNamespaceVisibilityRPSPerInstance.Get(dc)("ns"), 100},
		"frontend QPS":     {dynamicconfig.FrontendPersistenceMaxQPS.Get(dc)(), 10000},
		"history QPS":      {dynamicconfig.HistoryPersistenceMaxQPS.Get(dc)(), 45000},
		"history cache":    {dynamicconfig.HistoryCacheHostLevelMaxSize.Get(dc)(), 8096},
	}
	for what, c := range ints {
		if c.got != c.want {
			t.Errorf("%s: the server reads %d, want %d", what, c.got, c.want)
		}
	}
	if dynamicconfig.EnableServerVersionCheck.Get(dc)() {
		t.Error("the version check is on")
	}
	if !dynamicconfig.ForceSearchAttributesCacheRefreshOnRead.Get(dc)() {
		t.Error("search attributes are cached")
	}
}

func TestGivenSettingsReplaceDefaults(t *testing.T) {
	t.Parallel()
	settings, notes, err := dynamicSettings([]string{
		"history.transferProcessorMaxPollRPS=20", "History.TransferProcessorMaxPollRPS=30", // keys have no case, the last counts
		"history.longPollExpirationInterval=\"5s\"", "noSuch.setting=1",
	})
	if err != nil {
		t.Fatal(err)
	}
	dc := dynamicconfig.NewCollection(settings, log.NewNoopLogger())
	if got := dynamicconfig.TransferProcessorMaxPollRPS.Get(dc)(); got != 30 {
		t.Errorf("transfer poll %d, want 30", got)
	}
	if got := dynamicconfig.HistoryLongPollExpirationInterval.Get(dc)("ns"); got.String() != "5s" {
		t.Errorf("long poll %v, want 5s", got)
	}
	if got := dynamicconfig.TimerProcessorMaxPollRPS.Get(dc)(); got != 500 {
		t.Errorf("timer poll %d, want the default 500", got)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "noSuch.setting") {
		t.Errorf("notes %q, want one on noSuch.setting", notes)
	}
}

func TestDynamicSettingsRefuse(t *testing.T) {
	t.Parallel()
	cases := []struct{ pair, complaint string }{
		{"history.transferProcessorMaxPollRPS=fast", "no JSON value"},
		{"history.transferProcessorMaxPollRPS=", "it is empty"},
		{"history.transferProcessorMaxPollRPS=1 2", "text after the value"},
		{`history.transferProcessorMaxPollRPS="20"`, "not int"},
		{"history.transferProcessorMaxPollRPS=2.5", "not int"},
		{"frontend.enableServerVersionCheck=1", "not bool"},
		{"history.transferProcessorMaxPollRPS=1e999", "out of range"},
		{"=1", "not KEY=JSON"},
	}
	for _, c := range cases {
		_, _, err := dynamicSettings([]string{c.pair})
		if err == nil || !strings.Contains(err.Error(), c.complaint) {
			t.Errorf("%s: got %v, want a complaint with %q", c.pair, err, c.complaint)
		}
	}
}

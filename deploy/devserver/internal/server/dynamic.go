package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"strings"

	"go.temporal.io/server/common/dynamicconfig"
)

// pollRPS is how often a second an idle shard may look for work. The server's
// own default of 20 makes every step of an idle one-shard server wait some 50 ms.
const pollRPS = 500

// defaultSettings are the server settings a development server wants. Each value
// must have the Go type the server reads: an int64 or a float64 in the place of
// an int is not converted but ignored.
func defaultSettings() dynamicconfig.StaticClient {
	return dynamicconfig.StaticClient{
		// No call to a public host at the start and daily.
		dynamicconfig.EnableServerVersionCheck.Key(): false,

		dynamicconfig.TransferProcessorMaxPollRPS.Key(): pollRPS,
		dynamicconfig.TimerProcessorMaxPollRPS.Key():    pollRPS,

		// With one host there is nothing to spread; one partition spares the
		// forwarding between them.
		dynamicconfig.MatchingNumTaskqueueReadPartitions.Key():  1,
		dynamicconfig.MatchingNumTaskqueueWritePartitions.Key(): 1,

		// New search attributes are usable at once. Each read then goes to the
		// database, hence the two persistence limits.
		dynamicconfig.ForceSearchAttributesCacheRefreshOnRead.Key(): true,
		dynamicconfig.FrontendPersistenceMaxQPS.Key():               10000,
		dynamicconfig.HistoryPersistenceMaxQPS.Key():                45000,

		dynamicconfig.FrontendMaxNamespaceVisibilityRPSPerInstance.Key(): 100,

		// Bounds the memory that closed runs hold.
		dynamicconfig.HistoryCacheHostLevelMaxSize.Key(): 8096,
	}
}

// dynamicSettings returns the default settings with the KEY=JSON pairs over
// them; the last value of a key counts. A value that its setting cannot read is
// an error; a key that no setting reads is kept and noted.
func dynamicSettings(pairs []string) (dynamicconfig.StaticClient, []string, error) {
	settings := defaultSettings()
	given := make(dynamicconfig.StaticClient)
	var notes []string
	for _, pair := range pairs {
		key, text, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return nil, nil, fmt.Errorf("--dynamic-config-value %q is not KEY=JSON", pair)
		}
		value, err := parseSetting(text)
		if err != nil {
			return nil, nil, fmt.Errorf("--dynamic-config-value %s: %q is no JSON value: %w", key, text, err)
		}
		note, err := checkSetting(key, value)
		if err != nil {
			return nil, nil, fmt.Errorf("--dynamic-config-value %s=%s: %w", key, text, err)
		}
		if note != "" {
			notes = append(notes, note)
		}
		given[dynamicconfig.MakeKey(key)] = value
	}
	maps.Copy(settings, given)
	return settings, notes, nil
}

// parseSetting reads one JSON value into the Go types settings read.
func parseSetting(text string) (any, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("it is empty")
		}
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is text after the value")
	}
	return settingValue(v)
}

// settingValue turns json.Number into int when the number is whole and fits,
// else into float64, at every depth. Settings that read a float take an int too,
// settings that read an int take nothing else.
func settingValue(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil && i >= math.MinInt && i <= math.MaxInt {
			return int(i), nil
		}
		f, err := v.Float64()
		if err != nil {
			return nil, fmt.Errorf("the number %s is out of range", v)
		}
		// Up to 2^53 a float64 holds whole numbers exactly.
		if f == math.Trunc(f) && math.Abs(f) <= 1<<53 {
			return int(f), nil
		}
		return f, nil
	case []any:
		for i := range v {
			item, err := settingValue(v[i])
			if err != nil {
				return nil, err
			}
			v[i] = item
		}
	case map[string]any:
		for k := range v {
			item, err := settingValue(v[k])
			if err != nil {
				return nil, err
			}
			v[k] = item
		}
	}
	return v, nil
}

// checkSetting asks the server's own loader what it thinks of a value. The
// registry of settings is reachable only through it; JSON is YAML.
func checkSetting(key string, value any) (note string, err error) {
	text, err := json.Marshal([]map[string]any{{"value": value}})
	if err != nil {
		return "", fmt.Errorf("encode for the check: %w", err)
	}
	var loader dynamicconfig.YamlLoader
	loader.LoadValue(dynamicconfig.MakeKey(key), text)
	if err := loader.Err(); err != nil {
		return "", err
	}
	for _, w := range loader.Warnings {
		// Only a complaint about the value has a cause; the other kind says
		// that no setting has this key.
		if cause := errors.Unwrap(w); cause != nil {
			return "", fmt.Errorf("the server cannot read this value: %w", cause)
		}
		note = fmt.Sprintf("--dynamic-config-value %s has no effect, the server has no such setting", key)
	}
	return note, nil
}

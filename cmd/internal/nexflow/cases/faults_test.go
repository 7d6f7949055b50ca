package cases

import (
	"strings"
	"testing"
)

// soundAnswer is an answer that keeps every promise.
const soundAnswer = `{"schemaVersion":"terfyn.nexflow/v1","tool":{"name":"terfyn","version":"x"},"supportedSpecVersions":["0.1"],"command":"validate","success":false,"exitCode":1,` +
	`"inputMode":"directory-project","checks":{"discovery":"passed","schema":"passed","coreProfile":"passed","semantic":"failed","extensionProfiles":"not-run"},"executionAuthorized":false,` +
	`"diagnostics":[{"severity":"error","code":"NF-REF-UNRESOLVED","layer":"semantic","file":"a.yaml","kind":"TaskSet","path":"/a","keyword":null,"message":"x","related":[{"file":"b.yaml","path":""}]}],` +
	`"truncated":false,"warnings":[],"result":null}` + "\n"

// TestFaults breaks one promise after the other.
func TestFaults(t *testing.T) {
	t.Parallel()
	sound := answer{exit: 1, out: soundAnswer}
	if err := sound.parse(); err != nil {
		t.Fatal(err)
	}
	if got := sound.faults([]string{"secret"}); got != nil {
		t.Fatalf("a sound answer has the faults %v", got)
	}
	for name, swap := range map[string][2]string{
		"allowed to execute":         {`"executionAuthorized":false`, `"executionAuthorized":true`},
		"no word about execution":    {`"executionAuthorized":false,`, ``},
		"another exit code":          {`"exitCode":1`, `"exitCode":0`},
		"success without success":    {`"success":false`, `"success":true`},
		"a result of a failure":      {`"result":null`, `"result":{}`},
		"one more key":               {`"result":null`, `"result":null,"more":1`},
		"a line break":               {`"result":null`, "\"result\":\nnull"},
		"no line end":                {"}\n", "}"},
		"a letter beyond ASCII":      {`"message":"x"`, `"message":"é"`},
		"a secret":                   {`"message":"x"`, `"message":"secret"`},
		"no message":                 {`"message":"x"`, `"message":""`},
		"another schema":             {`nexflow/v1`, `nexflow/v2`},
		"a keyword of no schema":     {`"keyword":null`, `"keyword":"type"`},
		"a path of discovery":        {`"layer":"semantic"`, `"layer":"discovery"`},
		"no path":                    {`"path":"/a"`, `"path":null`},
		"a related place of no path": {`,"path":""}`, `}`},
		"no diagnostic":              {soundAnswer[strings.Index(soundAnswer, `[{"severity"`):strings.Index(soundAnswer, `,"truncated"`)], `[]`},
		"extensions that ran":        {`"extensionProfiles":"not-run"`, `"extensionProfiles":"passed"`},
		"one check less":             {`"schema":"passed",`, ``},
	} {
		broken := answer{exit: 1, out: strings.Replace(soundAnswer, swap[0], swap[1], 1)}
		if broken.out == soundAnswer {
			t.Fatalf("%s: nothing was broken", name)
		}
		if err := broken.parse(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if broken.faults([]string{"secret"}) == nil {
			t.Errorf("%s: no fault was found", name)
		}
	}
	loud := sound
	loud.err = "x"
	if loud.faults(nil) == nil {
		t.Error("a word on stderr was not found")
	}
}

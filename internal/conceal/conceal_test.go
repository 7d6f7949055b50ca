package conceal_test

import (
	"testing"

	"terfyn/internal/conceal"
)

func TestText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://x.example?apikey=CANARY":                      "https://x.example?apikey=#",
		"https://x.example/p?a=1&token=CANARY&b=2":             "https://x.example/p?a=1&token=#&b=2",
		"https://x.example?key=CANARY":                         "https://x.example?key=#",
		"https://x.example?%6Bey=CANARY":                       "https://x.example?%6Bey=#",
		"https://x.example?sig=CANARY#frag":                    "https://x.example?sig=##frag",
		"https://x.example?X-Amz-Signature=CANARY":             "https://x.example?X-Amz-Signature=#",
		"https://x.example?page=2":                             "https://x.example?page=2",
		"https://x.example?token=${input.token}":               "https://x.example?token=${input.token}",
		"postgres://u:CANARY@h/db?password=CANARY":             "postgres://#@h/db?password=#",
		"http://a and http://u:CANARY@b":                       "http://a and http://#@b",
		"u:CANARY@h:1":                                         "#@h:1",
		"alpine:3.2@sha256:abc":                                "alpine:3.2@sha256:abc",
		"host=h password=CANARY user=u":                        "host=h password=# user=u",
		"TOKEN=CANARY make test":                               "TOKEN=# make test",
		"the --token flag says it":                             "the --token flag says it",
		"A=B API_KEY='CAN ARY' x":                              "A=B API_KEY=# x",
		"write to ann@example.com, the token is in the answer": "write to ann@example.com, the token is in the answer",
	} {
		if got := conceal.Replace(in, conceal.Text(in), "#"); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCommand(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"TOKEN=CANARY make test --password CANARY -v": "TOKEN=# make test --password # -v",
		"mysql -p CANARY db":                          "mysql -p # db",
		"x --verbose --token CANARY":                  "x --verbose --token #",
		`curl -H "Authorization: Bearer CANARY" u`:    `curl -H "Authorization: #" u`,
		"make --token env:TOKEN":                      "make --token env:TOKEN",
		"go test -run Name ./...":                     "go test -run Name ./...",
	} {
		if got := conceal.Replace(in, conceal.Command(in), "#"); got != want {
			t.Errorf("Command(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`runtime { state "postgres://u:CANARY@h" }`:      `runtime { state "postgres://********@h" }`,
		`headers { "X-Own" "CANARY" }`:                   `headers { "X-Own" "******" }`,
		`headers { "Authorization" "env:TOKEN" }`:        `headers { "Authorization" "env:TOKEN" }`,
		`input { password: "CAN\"ARY" other: "x" }`:      `input { password: "********" other: "x" }`,
		`args ["-p", "CANARY", "--token", "CANARY"]`:     `args ["-p", "******", "--token", "******"]`,
		`args { "-p" "CANARY" "--quiet" "--port=0" }`:    `args { "-p" "******" "--quiet" "--port=0" }`,
		`args ["--token=CANARY", "serve"]`:               `args ["--token=******", "serve"]`,
		`testCommand "TOKEN=CANARY make"`:                `testCommand "TOKEN=****** make"`,
		`baseUrl "https://x.example?apikey=CANARY" oops`: `baseUrl "https://x.example?apikey=******" oops`,
		`token "CANARY`:                     `token "******`,
		`name "POST /v1/send" model mock/m`: `name "POST /v1/send" model mock/m`,
	} {
		if got := conceal.Line(in); got != want {
			t.Errorf("Line(%s) = %s, want %s", in, got, want)
		}
	}
}

package e2e

import (
	"bytes"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/proto"

	"terfyn/activities/model"
	"terfyn/activities/model/modeltest"
	"terfyn/workflows/contract"
)

const canary = "canary-6f1d0a7be2"

// secretive calls an http tool whose header is a secret, and a model with a key.
const secretive = `
provider lab { type openai baseUrl "MODELS" apiKeyFrom "env:TERFYN_E2E_CANARY" }

tool web {
    type http
    http { baseUrl "SERVICE" headers { "Authorization" "env:TERFYN_E2E_CANARY" } }
    safety { trusted true sideEffects true }
    operations {
        post.thing { effects { web.write } }
        get.echo { effects { web.read } readOnly true }
    }
}

policy open { effects { permit { web } } }

agent Writer {
    model lab/writer
    grants { tool.web.get.echo }
}

workflow write(story: any) policy open {
    made = web.post.thing(name: story.name)
    said = Writer(story)
    return { made: made, said: said }
}
`

// TestSecretsStayInTheirActivity: the value of an env: reference reaches the
// service it is for and nothing that is kept, even when the service sends it back.
func TestSecretsStayInTheirActivity(t *testing.T) {
	t.Setenv("TERFYN_E2E_CANARY", canary)
	for _, on := range []backend{onSQLite, onPostgres} {
		t.Run(string(on), func(t *testing.T) {
			var arrived atomic.Int32
			service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") == canary {
					arrived.Add(1)
				}
				if strings.HasPrefix(r.URL.Path, "/echo") {
					w.WriteHeader(http.StatusBadRequest) // an error text that repeats what it was sent
				}
				_, _ = w.Write([]byte(`{"id":"1","you":"sent ` + r.Header.Get("Authorization") + `"}`))
			}))
			defer service.Close()
			models := modeltest.NewServer(modeltest.ByTurn(
				modeltest.Turn{Calls: []model.Call{{ID: "c1", Name: "web", Arguments: value(t, `{}`)}}}, modeltest.Turn{Text: `{"done":true}`}))
			defer models.Close()
			s := startServer(t)
			w := newWorld(t, s, on)
			w.write(map[string]string{"main.agent": strings.NewReplacer("MODELS", models.URL, "SERVICE", service.URL).Replace(secretive)})
			w.apply("local")
			p := w.startProcess()
			id := "secret-" + string(on)
			w.must(w.start(id, contract.RunIn{Workflow: "write", Input: value(t, `{"name":"x"}`), Actor: "sam"}))
			if arrived.Load() != 2 {
				t.Errorf("the secret reached the service %d times, want 2", arrived.Load())
			}
			p.kill()

			history := w.history(id)
			b, err := proto.Marshal(history)
			if err != nil {
				t.Fatal(err)
			}
			clean(t, "the history", b)
			for _, r := range models.Requests() {
				clean(t, "a model request body", r.Body)
			}
			w.cleanStore()
			clean(t, "the server's log", s.log.Bytes())
			files, err := filepath.Glob(filepath.Join(s.dir, "*"))
			if err != nil || len(files) < 2 {
				t.Fatalf("the server's files: %v, %v", files, err)
			}
			for _, f := range files {
				b, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				clean(t, f, b)
			}
		})
	}
}

// clean fails when b holds the canary in clear or in hex.
func clean(t testing.TB, where string, b []byte) {
	t.Helper()
	if bytes.Contains(b, []byte(canary)) || bytes.Contains(b, []byte(hex.EncodeToString([]byte(canary)))) {
		t.Errorf("%s holds the secret", where)
	}
	if len(b) == 0 && where != "the server's log" && !strings.HasSuffix(where, ".lock") && !strings.HasSuffix(where, "-wal") {
		t.Errorf("%s is empty; nothing was searched", where)
	}
}

// cleanStore searches everything the store keeps.
func (w *world) cleanStore() {
	w.t.Helper()
	if !strings.HasPrefix(w.dsn, "postgres") {
		b, err := os.ReadFile(w.dsn)
		if err != nil {
			w.t.Fatal(err)
		}
		log, err := os.ReadFile(w.dsn + "-wal")
		if err != nil && !os.IsNotExist(err) {
			w.t.Fatal(err)
		}
		clean(w.t, "the state file", append(b, log...))
		return
	}
	conn, err := pgx.Connect(w.t.Context(), w.dsn)
	if err != nil {
		w.t.Fatal(err)
	}
	defer conn.Close(w.t.Context())
	rows, err := conn.Query(w.t.Context(), `select table_name from information_schema.tables where table_schema = 'public'`)
	if err != nil {
		w.t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(tables) < 8 {
		w.t.Fatalf("tables %v, %v", tables, err)
	}
	for _, table := range tables {
		rows, err := conn.Query(w.t.Context(), "select t::text from "+pgx.Identifier{table}.Sanitize()+" t")
		if err != nil {
			w.t.Fatal(err)
		}
		texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			w.t.Fatal(err)
		}
		for _, text := range texts {
			clean(w.t, "table "+table, []byte(text))
		}
	}
}

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"terfyn/policy"
	"terfyn/workflows/contract"
)

// numbers carries every spelling through input, tool, condition, gate, edit and output.
const numbers = `
tool press {
    type native
    safety { trusted true sideEffects true }
    operations { echo { effects { press.write } } }
}

policy desk {
    approvals { requiredFor { tool.press.echo } }
    effects { permitWithApproval { press.write } }
    hitl { interruptOn { press { allowedDecisions { approve reject edit } } } }
}

workflow carry(doc: any) policy desk {
    approval look {
        with { v: doc.v copy: doc.v }
    }
    done = press.echo(v: look.v, text: "is ${look.v}", edited: doc.v)
    same = false
    if done.echo.v == doc.v {
        same = true
    }
    return { v: done.echo.v, text: done.echo.text, edited: done.echo.edited, same: same }
}
`

// TestCase25Numbers: digits in are digits out, through a restart at each stop and
// an edit; 1.0 and 1e6 arrive as integers (language.md 13.2).
func TestCase25Numbers(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	for _, on := range []backend{onSQLite, onPostgres} {
		t.Run(string(on), func(t *testing.T) {
			w := newWorld(t, s, on)
			w.write(map[string]string{"main.agent": numbers})
			w.apply("local")
			p := w.startProcess()
			spellings := map[string]string{
				"9007199254740993": "9007199254740993", "616581622363398142": "616581622363398142", "18446744073709551615": "18446744073709551615",
				"0.1": "0.1", "1.0": "1", "1e6": "1000000", "-0": "0", "123456789012345678901234567890": "123456789012345678901234567890",
			}
			type going struct{ id, want string }
			var runs []going
			i := 0
			for in, want := range spellings {
				i++
				g := going{fmt.Sprintf("number-%s-%d", on, i), want}
				w.start(g.id, contract.RunIn{Workflow: "carry", Input: value(t, `{"v":`+in+`}`), Actor: "sam"})
				runs = append(runs, g)
			}
			for _, g := range runs {
				if a := w.waiting(g.id); !strings.Contains(string(a.Payload), `"v":`+g.want+`}`) {
					t.Errorf("the gate of %s shows %s", g.want, a.Payload)
				}
			}
			p.kill()
			p = w.startProcess()
			for _, g := range runs {
				w.approve(g.id)
			}
			for _, g := range runs {
				a := w.waiting(g.id)
				p.kill()
				p = w.startProcess()
				d := approval(a, policy.Edit)
				d.Edit = value(t, `{"edited":1`+g.want+`}`) // another number of the same kind
				if _, err := w.decide(g.id, d); err != nil {
					t.Fatal(err)
				}
				edited := d.Edit.At("edited").JSON()
				got := w.must(w.client.GetWorkflow(t.Context(), g.id, "")).JSON()
				want := fmt.Sprintf(`{"edited":%s,"same":true,"text":"is %s","v":%s}`, edited, g.want, g.want)
				if got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
				if row := w.row(g.id); string(row.Output) != want {
					t.Errorf("stored output %s", row.Output)
				}
				w.verify(g.id)
			}
			p.kill()
		})
	}
}

// TestCase05NoIsAnAnswer: false, 0 and the empty string are answers; null is none.
func TestCase05NoIsAnAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, startServer(t), onSQLite)
	w.write(map[string]string{"main.agent": `
workflow ask(doc: any) {
    approval look {
        with { answer: doc.answer }
    }
    return { answer: look.answer }
}
`})
	w.apply("local")
	w.work(nil)
	for i, c := range []struct{ before, answer string }{{"true", "false"}, {"1", "0"}, {`"x"`, `""`}} {
		id := fmt.Sprintf("answer-%d", i)
		run := w.start(id, contract.RunIn{Workflow: "ask", Input: value(t, `{"answer":`+c.before+`}`), Actor: "sam"})
		a := w.waiting(id)
		d := approval(a, policy.Edit)
		d.Edit = value(t, `{"answer":null}`)
		if _, err := w.decide(id, d); refusal(t, err) != policy.RefusedEdit {
			t.Errorf("null for %s: %v", c.before, err)
		}
		d.Edit = value(t, `{"answer":`+c.answer+`}`)
		if _, err := w.decide(id, d); err != nil {
			t.Fatal(err)
		}
		if got := w.must(run).JSON(); got != `{"answer":`+c.answer+`}` {
			t.Errorf("output %s, answered %s", got, c.answer)
		}
	}
}

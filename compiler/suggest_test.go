package compiler_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"terfyn/compiler/diag"
)

// slip is a project with one misspelt name. The text {bad|good} stands for the
// misspelling, and for the name once it is repaired.
type slip struct {
	name  string
	files map[string]string
	fix   bool // a change of the source is offered
}

func mainOnly(text string) map[string]string { return map[string]string{"main.agent": text} }

const desk = "tool desk { type mock operations { read { readOnly true effects { desk.read } } } }\n"

// slips has every kind of name that can be misspelt.
var slips = []slip{
	{"agent in a call", mainOnly("agent writer { model mock/default }\nworkflow w(x: any) { y = {wrter|writer}(x) return y }"), true},
	{"workflow in a call", mainOnly("workflow inner(x: any) { return x }\nworkflow w(x: any) { y = {iner|inner}(x) return y }"), true},
	{"tool in a call", mainOnly(desk + "workflow w() { y = {dsk|desk}.read() return y }"), true},
	{"tool in a grant", mainOnly(desk + "agent a { model mock/default grants { tool.{dsk|desk}.read } }"), true},
	{"operation in a call", mainOnly(desk + "workflow w() { y = desk.{raed|read}() return y }"), true},
	{"operation in a grant", mainOnly(desk + "agent a { model mock/default grants { tool.desk.{raed|read} } }"), true},
	{"operation in requiredFor", mainOnly(desk + "policy p { approvals { requiredFor { tool.desk.{raed|read} } } }"), true},
	{"operation in allowedEditTools", mainOnly(desk + `policy p { hitl { interruptOn { desk { allowedEditTools { "{raed|read}" } } } } }`), true},
	{"operation in switchMap", mainOnly(desk + "policy p { hitl { interruptOn { desk { switchMap { read { {raed|read} } } } } } }"), true},
	{"operation in reconcile", mainOnly("tool t { type mock operations { send { reconcile {lokup|lookup} } lookup { readOnly true } } }"), true},
	{"tool in interruptOn", mainOnly(desk + "policy p { hitl { interruptOn { {deks|desk} } } }"), true},
	{"tool in toolSwitchMap", mainOnly(desk + "policy p { hitl { toolSwitchMap { {deskk|desk} { read } } } }"), false},
	{"target in toolSwitchMap", mainOnly(desk + "policy p { hitl { toolSwitchMap { desk { {raed|read} } } } }"), false},
	{"policy of a workflow", mainOnly("policy careful { }\nworkflow w() policy {carefull|careful} { }"), true},
	{"policy of defaults", mainOnly("policy careful { }\ndefaults { policy {carefl|careful} }"), true},
	{"preset as policy", mainOnly("workflow w() policy {strit|strict} { }"), true},
	{"preset word", mainOnly("policy p { preset {shell_saef|shell_safe} }"), true},
	{"provider", mainOnly("agent a { model {opnai|openai}/m }"), true},
	{"declared provider", mainOnly("provider house { type openai }\nagent a { model {huose|house}/m }"), true},
	{"provider type", mainOnly("provider p { type {gemni|gemini} }"), true},
	{"tool type", mainOnly("tool t { type {mok|mock} }"), true},
	{"runtime", mainOnly("defaults { runtime {locl|local} }"), true},
	{"backoff", mainOnly(`tool t { type mock retry { backoff "{fixd|fixed}" } }`), true},
	{"transport", mainOnly(`tool t { type mcp mcp { transport "{htp|http}" url "https://h.example" } }`), true},
	{"agent in an override", mainOnly("agent writer { model mock/default }\nenvironment e { overrides { agents { {writr|writer} { model mock/x } } } }"), true},
	{"policy in an override", mainOnly("policy careful { }\nenvironment e { overrides { policies { {carefu|careful} { execution { maxIterations 2 } } } } }"), true},
	{"tool in an override", mainOnly(`tool mail { type http http { baseUrl "https://h.example" } operations { post.send { } } }
environment e { overrides { tools { {mial|mail} { http { baseUrl "https://g.example" } } } } }`), true},
	{"delegated agent", mainOnly("agent helper { model mock/default }\nagent a { model mock/default grants { agent.{helpr|helper} } }"), true},
	{"delegated workflow", mainOnly("workflow brief() { }\nagent a { model mock/default grants { workflow.{breif|brief} } }"), true},
	{"word before a grant", mainOnly(desk + "agent a { model mock/default grants { {tol|tool}.desk.read } }"), true},
	{"parameter", mainOnly("workflow v(draft: any) { return draft }\nworkflow w(x: any) { y = v({dratf|draft}: x) return y }"), true},
	{"binding", mainOnly("workflow w(topic: any) { title = topic return {titel|title} }"), true},
	{"binding in a template", mainOnly(desk + "workflow w(topic: any) { y = desk.read(x: \"${{topc|topic}}\") return y }"), false},
	{"field of a closed type", map[string]string{
		"main.agent":        "workflow w(x: Note) { return x.{titel|title} }",
		"schemas/Note.json": `{"type":"object","properties":{"title":{"type":"string"}},"additionalProperties":false}`,
	}, true},
	{"type", map[string]string{"main.agent": "agent a { model mock/default input {Tikcet|Ticket} }", "schemas/Ticket.json": `{"type":"object"}`}, true},
	{"type of a parameter", map[string]string{"main.agent": "workflow w(x: {ticket|Ticket}) { return x }", "schemas/Ticket.json": `{"type":"object"}`}, true},
	{"mock script", map[string]string{"main.agent": "agent a { model mock/{writr|writer} }", "mocks/writer.yaml": "conversations:\n  - turns: [{ output: {} }]\n"}, true},
	{"native operation", mainOnly("tool ws { type native operations { {read_fil|read_file} { } } }"), true},
	{"approver", mainOnly("environment e { approvers { anna \"k\" } }\npolicy p { approvals { approvers { {ana|anna} } } }"), false},
	{"group of approvers", mainOnly("environment e { approvers { anna \"k\" group leads { anna } } }\npolicy p { approvals { approvers { {group:laeds|group:leads} } } }"), false},
	{"member of a group", mainOnly("environment e { approvers { anna \"k\" group leads { {anan|anna} } } }"), false},
	{"declaration word", mainOnly("{agnet|agent} a { model mock/default }"), true},
	{"field word", mainOnly("agent a { model mock/default {instuctions|instructions} \"x\" }"), true},
	{"field word of a clause", mainOnly("workflow w() {polcy|policy} strict { }"), true},
	{"choice", mainOnly("limits { toolInputExceedPolicy {trunctae|truncate} }"), true},
	{"statement word", mainOnly("workflow w(x: any) { {retrun|return} x }"), true},
	{"limit", mainOnly("workflow w(x: any) { while x.a {limt|limit} 3 { } }"), true},
}

// with writes one of the two spellings.
func (s slip) with(good bool) (files map[string]string, bad, right string) {
	files = maps.Clone(s.files)
	text := files["main.agent"]
	open := strings.LastIndex(text[:strings.Index(text, "|")], "{")
	end := strings.Index(text[open:], "}") + open
	bad, right, _ = strings.Cut(text[open+1:end], "|")
	word := bad
	if good {
		word = right
	}
	files["main.agent"] = text[:open] + word + text[end+1:]
	return files, bad, right
}

// TestEveryMisspeltNameIsRecognised: an unknown name near a known one is asked about,
// and the change that is offered leaves nothing to say.
func TestEveryMisspeltNameIsRecognised(t *testing.T) {
	t.Parallel()
	for _, s := range slips {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			good, _, _ := s.with(true)
			if _, ds := compile(t, good); wrong(ds) {
				t.Fatalf("the right spelling is refused:\n%s", ds)
			}
			files, bad, right := s.with(false)
			_, ds := compile(t, files)
			asked, fix := false, (*diag.Fix)(nil)
			for _, d := range ds {
				if strings.Contains(d.Message(), fmt.Sprintf("did you mean %q?", right)) {
					asked, fix = true, d.Fix
				}
			}
			if !asked {
				t.Fatalf("%q is not recognised as %q:\n%s", bad, right, ds)
			}
			if (fix != nil) != s.fix {
				t.Fatalf("a fix is offered: %t, want %t:\n%s", fix != nil, s.fix, ds)
			}
			if fix == nil {
				return
			}
			text := files[fix.At.File]
			files[fix.At.File] = text[:fix.At.Start.Offset] + fix.Text + text[fix.At.End.Offset:]
			if files["main.agent"] != good["main.agent"] {
				t.Errorf("the fix gives\n%s", files["main.agent"])
			}
		})
	}
}

// wrong reports whether more is said than that this version does not run something.
func wrong(ds diag.List) bool {
	for _, d := range ds {
		if d.Code != diag.NotRunnable {
			return true
		}
	}
	return false
}

// TestMisspeltEffectsAreRecognised: an effect in a clause or a permit list that is one
// slip away from one that is reached.
func TestMisspeltEffectsAreRecognised(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"clause":             desk + "workflow w() effects { desk.raed } { y = desk.read() return y }",
		"permit":             desk + "policy p { effects { permit { desk.raed } } }\nworkflow w() policy p { y = desk.read() return y }",
		"permitWithApproval": desk + "policy p { effects { permitWithApproval { dsk.read } } }\nworkflow w() policy p { y = desk.read() return y }",
	} {
		_, ds := compile(t, mainOnly(text))
		if !strings.Contains(ds.String(), `is it a misspelling of "desk.read"?`) {
			t.Errorf("%s:\n%s", name, ds)
		}
	}
}

// TestNoFixInDoubt: where more than one name may be meant, or the slip may be none,
// nothing is offered to be changed by a machine.
func TestNoFixInDoubt(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"two near names":  "agent reader { model mock/default }\nagent header { model mock/default }\nworkflow w(x: any) { y = eader(x) return y }",
		"numbered series": "workflow w(part1: any) { return part2 }",
		"two slips":       "workflow w(passage: any) { return pasages_ }",
	} {
		_, ds := compile(t, mainOnly(text))
		if len(ds) != 1 || ds[0].Fix != nil {
			t.Errorf("%s: %+v", name, ds)
		}
	}
}

// TestPlainTypesAreFree: words for free values are no misspellings of schemas.
func TestPlainTypesAreFree(t *testing.T) {
	t.Parallel()
	mustCompile(t, map[string]string{"main.agent": "workflow w(a: any, b: string, c: list) { return a }", "schemas/Any.json": "{}", "schemas/String2.json": "{}", "schemas/Last.json": "{}"})
}

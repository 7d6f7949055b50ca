package diff_test

import (
	"strings"
	"testing"

	"terfyn/compiler/ir"
	"terfyn/internal/canon"
	"terfyn/planner/diff"
)

func TestMaskProgram(t *testing.T) {
	t.Parallel()
	text := func(s string) ir.Literal { return ir.Literal{Value: canon.String(s)} }
	p := ir.Program{Workflow: "w", Body: []ir.Node{
		ir.Let{ID: "let", Name: "apiToken", Expr: text("hidden-1")},
		ir.Tool{ID: "t", Tool: "t", Operation: "o", Args: []ir.Arg{
			{Name: "password", Expr: text("hidden-2")},
			{Name: "secret", Expr: text("env:SHOWN")},
			{Name: "body", Expr: ir.Object{Fields: []ir.Arg{{Name: "token", Expr: ir.Template{Parts: []ir.Part{{Text: "hidden-3"}, {Ref: []string{"shown", "ref"}}}}}}}},
			{Name: "at", Expr: text("https://hidden-4:hidden-5@host.example")},
			{Name: "doc", Expr: ir.Literal{Value: canon.Object(canon.F("token", canon.String("hidden-6")), canon.F("text", canon.String("shown-too")))}},
			{Name: "count", Expr: ir.Literal{Value: canon.Int(7)}},
		}},
	}}
	got := diff.MaskProgram(ir.EncodeProgram(p)).JSON()
	if strings.Contains(got, "hidden") || strings.Count(got, diff.Masked) != 5 {
		t.Errorf("not masked as it should be: %s", got)
	}
	for _, shown := range []string{"env:SHOWN", `["shown","ref"]`, "shown-too", "host.example", "7"} {
		if !strings.Contains(got, shown) {
			t.Errorf("%s is missing in %s", shown, got)
		}
	}
	plain := ir.EncodeProgram(ir.Program{Workflow: "w", Body: []ir.Node{ir.Let{ID: "let", Name: "token", Expr: ir.Ref{Path: []string{"in"}}}}})
	if !canon.Equal(diff.MaskProgram(plain), plain) {
		t.Error("a program without secrets changes")
	}
}

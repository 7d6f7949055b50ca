package soundness

import (
	"fmt"
	"strings"
)

func (b *body) anyName(fits func(name) bool) (name, bool) {
	var all []name
	for _, n := range b.names {
		if fits(n) {
			all = append(all, n)
		}
	}
	if len(all) == 0 {
		return name{}, false
	}
	return pick(b.dice, all), true
}

func (b *body) literal() (string, kind) {
	return pick(b.dice, []string{
		`"x"`, `"y ${not a template"`, "3", "-2.50", "9007199254740993", "true", "false", `{ ok: true, s: "x" n: 1 }`, `{}`,
		`"""block "text" of one line"""`,
	}), value
}

// path is a reference that can be read whatever the name holds.
func (b *body) path() string {
	n, ok := b.anyName(func(name) bool { return true })
	if !ok {
		return `"nothing"`
	}
	return n.word + pick(b.dice, []string{"", "", ".s", ".n", ".sub.s", ".ok"})
}

// expr is any expression; depth bounds objects and calls in it.
func (b *body) expr(depth int) string {
	at := b.IntN(100)
	switch {
	case depth > 0 && at < 12:
		var fields []string
		for i := range 1 + b.IntN(3) {
			fields = append(fields, fmt.Sprintf("k%d: %s", i, b.expr(depth-1)))
		}
		return "{ " + strings.Join(fields, ", ") + " }"
	case depth > 0 && at < 22:
		if call, _ := b.call(depth - 1); call != "" {
			return call
		}
	case at < 35:
		text, _ := b.literal()
		if strings.Contains(text, "${") {
			return `"z"`
		}
		return text
	case at < 45:
		if n, ok := b.anyName(func(name) bool { return true }); ok {
			return pick(b.dice, []string{`"${` + n.word + `}"`, `"s is ${ ` + n.word + `.s } and n ${` + n.word + `.n}"`})
		}
	}
	return b.path()
}

// rec is a value of type Rec.
func (b *body) rec() string {
	if n, ok := b.anyName(func(n name) bool { return n.kind != value }); ok && b.chance(75) {
		return n.word
	}
	return fmt.Sprintf(`{ ok: %v, n: %d, s: "x" }`, b.chance(50), b.IntN(4))
}

// cond is a condition that is true about as often as not.
func (b *body) cond(depth int) string {
	at := b.IntN(100)
	if depth > 0 && at < 25 {
		return pick(b.dice, []string{
			b.cond(depth-1) + " && " + b.cond(depth-1), "(" + b.cond(depth-1) + " || " + b.cond(depth-1) + ")", "!(" + b.cond(depth-1) + ")",
		})
	}
	n, ok := b.anyName(func(n name) bool { return n.kind != value })
	if !ok {
		n, ok = b.anyName(func(name) bool { return true })
	}
	if !ok || at < 32 {
		return pick(b.dice, []string{"true", "false", "1 == 1.0", `"a" != "a"`, "2 < 3"})
	}
	forms := []string{".ok", ".ok", "!%.ok", `.s == "x"`, `.s != "x"`, ".n == 2", ".sub.s != \"y\"", ".ok == true"}
	if n.kind != value {
		forms = append(forms, ".n < 3", ".n >= 2")
	} else {
		forms = forms[3:]
	}
	form := pick(b.dice, forms)
	if strings.HasPrefix(form, "!%") {
		return "!" + n.word + form[2:]
	}
	return n.word + form
}

// call is a call of a tool, an agent, or an earlier workflow, and the kind of its
// result; "" when the chosen tool has no operation.
func (b *body) call(depth int) (string, kind) {
	at := b.IntN(100)
	switch {
	case at < 45 || depth < 0:
		return b.toolCall(depth), untyped
	case at < 85 || b.simple || b.flow == 0:
		return b.agentCall(depth)
	}
	return b.flowCall(depth), value
}

func (b *body) toolCall(depth int) string {
	capability := b.capability()
	if capability == "" {
		return ""
	}
	b.called(capability)
	var args []string
	for i := range b.IntN(4) {
		if b.chance(80) {
			args = append(args, fmt.Sprintf("k%d: %s", i, b.expr(depth)))
		} else {
			args = append(args, b.expr(depth))
		}
	}
	return strings.TrimPrefix(capability, "tool.") + "(" + strings.Join(args, ", ") + ")"
}

func (b *body) agentCall(depth int) (string, kind) {
	a := pick(b.dice, b.agents)
	b.called("agent." + a.name)
	k := untyped
	if a.result {
		k = typed
	}
	if a.typed {
		return a.name + "(" + b.rec() + ")", k
	}
	switch b.IntN(6) {
	case 0:
		return a.name + "()", k
	case 1:
		return fmt.Sprintf("%s(k: %s)", a.name, b.expr(depth)), k
	case 2:
		return fmt.Sprintf("%s(%s, %s)", a.name, b.expr(depth), b.expr(0)), k
	}
	return a.name + "(" + b.expr(depth) + ")", k
}

func (b *body) flowCall(depth int) string {
	f := b.flows[b.IntN(b.flow)]
	b.called("workflow." + f.name)
	var args []string
	for i, p := range f.params {
		arg := b.rec()
		if f.types[i] != "Rec" && b.chance(50) {
			arg = b.expr(depth)
		}
		if b.chance(40) {
			arg = p + ": " + arg
		}
		args = append(args, arg)
	}
	return f.name + "(" + strings.Join(args, ", ") + ")"
}

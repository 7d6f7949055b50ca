package soundness

import (
	"fmt"
	"slices"
	"strings"
)

// kind is what a generated program may do with a name.
type kind int

const (
	value   kind = iota // anything
	untyped             // a record, of no declared type
	typed               // a record of type Rec
)

type name struct {
	word  string
	kind  kind
	param bool
}

// body writes the statements of one workflow. names are those that are definitely
// assigned at this place (language.md 8).
type body struct {
	*generator
	flow     int
	names    []name
	text     strings.Builder
	indent   int
	budget   *int // statements left
	fresh    *int // names given out
	parallel bool // inside of parallel for: no return
	simple   bool // only what reads like a script: no loops over lists, no forks, no calls of workflows
}

func (g *generator) writeBody(flow int) string {
	budget, fresh := 3+g.IntN(9), 0
	b := &body{generator: g, flow: flow, indent: 1, budget: &budget, fresh: &fresh, simple: g.chance(60)}
	for i, p := range g.flows[flow].params {
		k := untyped
		if g.flows[flow].types[i] == "Rec" {
			k = typed
		}
		b.names = append(b.names, name{word: p, kind: k, param: true})
	}
	b.statements(0)
	if b.chance(85) {
		b.ret()
	}
	return b.text.String()
}

func (b *body) putf(format string, args ...any) {
	b.text.WriteString(strings.Repeat("    ", b.indent))
	fmt.Fprintf(&b.text, format+"\n", args...)
}

// called notes what the workflow calls, for its reach.
func (b *body) called(callee string) {
	f := &b.flows[b.flow]
	if !slices.Contains(f.calls, callee) {
		f.calls = append(f.calls, callee)
	}
}

func (b *body) statements(depth int) {
	for range 1 + b.IntN(4) {
		if *b.budget--; *b.budget < 0 {
			return
		}
		b.statement(depth)
	}
}

// statement writes one statement; the deeper, the plainer.
func (b *body) statement(depth int) {
	at := b.IntN(100)
	if depth >= 3 {
		at %= 55
	}
	switch {
	case at < 10:
		b.let()
	case at < 15:
		b.put(b.literal())
	case at < 40:
		b.bindCall()
	case at < 48:
		if call, _ := b.call(1); call != "" {
			b.putf("%s", call)
		}
	case at < 55:
		b.approval()
	case at < 68:
		b.branch(depth)
	case at < 74:
		b.loop(depth, "while")
	case at < 77:
		if !b.parallel {
			b.putf("if %s {", b.cond(1))
			b.nested(func() { b.ret() })
			b.putf("}")
		}
	case b.simple:
		b.bindCall()
	case at < 82:
		b.loop(depth, "retry until")
	case at < 88:
		b.fork()
	default:
		b.each(depth)
	}
}

// bind gives a name for a value of kind k: a new one, or one that is assigned again.
func (b *body) bind(k kind) string {
	var again []name
	for _, n := range b.names {
		if !n.param && n.kind == k {
			again = append(again, n)
		}
	}
	if len(again) > 0 && b.chance(20) {
		return pick(b.dice, again).word
	}
	word := fmt.Sprintf("v%d", *b.fresh)
	*b.fresh++
	return word
}

// assigned puts a name into scope.
func (b *body) assigned(word string, k kind) {
	for i := range b.names {
		if b.names[i].word == word {
			b.names[i].kind = k
			return
		}
	}
	b.names = append(b.names, name{word: word, kind: k})
}

func (b *body) put(text string, k kind) {
	word := b.bind(k)
	b.putf("%s = %s", word, text)
	b.assigned(word, k)
}

func (b *body) let() {
	if n, ok := b.anyName(func(n name) bool { return n.kind != typed }); ok && b.chance(70) {
		if n.kind == untyped && b.chance(40) {
			b.put(n.word+".sub", value)
			return
		}
		b.put(n.word, n.kind)
		return
	}
	b.put(b.literal())
}

func (b *body) bindCall() {
	if call, k := b.call(2); call != "" {
		b.put(call, k)
	}
}

// nested writes a block of its own indentation and gives the names it ends with.
func (b *body) nested(write func()) []name {
	before := slices.Clone(b.names)
	b.indent++
	write()
	b.indent--
	after := b.names
	b.names = before
	return after
}

// branch writes an if. A new name lives on when every arm binds it.
func (b *body) branch(depth int) {
	b.putf("if %s {", b.cond(2))
	arms := [][]name{b.nested(func() { b.statements(depth + 1) })}
	for b.chance(25) {
		b.putf("} else if %s {", b.cond(1))
		arms = append(arms, b.nested(func() { b.statements(depth + 1) }))
	}
	if b.chance(60) {
		b.putf("} else {")
		arms = append(arms, b.nested(func() {
			b.statements(depth + 1)
			b.bindAsIn(arms[0])
		}))
	} else {
		arms = append(arms, slices.Clone(b.names))
	}
	b.putf("}")
	for _, n := range arms[0] {
		if k, ok := joined(n, arms[1:]); ok {
			b.assigned(n.word, k)
		}
	}
}

// bindAsIn binds a name that another arm bound.
func (b *body) bindAsIn(arm []name) {
	for _, n := range arm {
		if !slices.ContainsFunc(b.names, func(o name) bool { return o.word == n.word }) && b.chance(60) {
			text, k := b.literal()
			b.putf("%s = %s", n.word, text)
			b.assigned(n.word, k)
		}
	}
}

// joined is the kind of a name after arms that all bind it.
func joined(n name, arms [][]name) (kind, bool) {
	k := n.kind
	for _, arm := range arms {
		i := slices.IndexFunc(arm, func(o name) bool { return o.word == n.word })
		if i < 0 {
			return value, false
		}
		if arm[i].kind != k {
			k = value
		}
	}
	return k, true
}

// loop writes while or retry until. What the body of a retry binds stays.
func (b *body) loop(depth int, head string) {
	if head == "while" {
		b.putf("while %s limit %d {", b.cond(2), 1+b.IntN(3))
		b.nested(func() { b.statements(depth + 1) })
		b.putf("}")
		return
	}
	before, written := b.text.String(), b.text.Len()
	after := b.nested(func() { b.statements(depth + 1) })
	inner := b.text.String()[written:]
	b.names = after
	b.text.Reset()
	b.text.WriteString(before)
	b.putf("retry until %s limit %d {", b.cond(2), 1+b.IntN(3))
	b.text.WriteString(inner)
	b.putf("}")
}

func (b *body) fork() {
	b.putf("parallel {")
	type branch struct {
		word string
		kind kind
	}
	var all []branch
	b.nested(func() {
		for range 1 + b.IntN(3) {
			text, k := b.call(1)
			if text == "" || b.chance(15) {
				text, k = b.literal()
			}
			word := fmt.Sprintf("v%d", *b.fresh)
			*b.fresh++
			b.putf("%s = %s", word, text)
			all = append(all, branch{word, k})
		}
	})
	b.putf("}")
	for _, br := range all {
		b.assigned(br.word, br.kind)
	}
}

// each writes a loop over a list, one element after another or all at once.
func (b *body) each(depth int) {
	n, ok := b.anyName(func(n name) bool { return n.kind == untyped })
	if !ok {
		b.bindCall()
		return
	}
	list := n.word + ".items"
	if b.chance(25) {
		list = `"${` + list + `}"`
	}
	head, outer := "for", b.parallel
	if b.chance(50) {
		head, b.parallel = "parallel for", true
	}
	element := fmt.Sprintf("e%d", depth)
	b.putf("%s %s in %s {", head, element, list)
	b.nested(func() {
		b.assigned(element, value)
		b.statements(depth + 1)
	})
	b.putf("}")
	b.parallel = outer
}

func (b *body) approval() {
	word := fmt.Sprintf("v%d", *b.fresh)
	*b.fresh++
	b.putf("approval %s {", word)
	if b.chance(30) {
		b.putf(`    description "look at this"`)
	}
	if b.chance(20) {
		b.putf(`    redactKeys { "s" }`)
	}
	b.putf("    with { first: %s second: %s }", b.expr(1), b.expr(0))
	b.putf("}")
	b.assigned(word, value)
}

// ret returns a value; where a result is declared, one that fits it.
func (b *body) ret() {
	if b.flows[b.flow].result {
		b.putf("return %s", b.rec())
		return
	}
	b.putf("return %s", b.expr(2))
}

package ir

import "terfyn/internal/canon"

func (r *reader) expr(at place) Expr {
	switch kind := r.text(at, "kind"); kind {
	case "literal":
		r.object(at, "kind", "value")
		v, present := at.v.Get("value")
		if !present {
			r.fail(at, "field %q is missing", "value")
		}
		return Literal{Value: v}
	case "ref":
		r.object(at, "kind", "path")
		return Ref{Path: r.refPath(at, "path")}
	case "object":
		r.object(at, "kind", "fields")
		return Object{Fields: r.args(at, "fields")}
	case "template":
		r.object(at, "kind", "parts")
		t := Template{}
		for _, p := range r.items(at, "parts") {
			t.Parts = append(t.Parts, r.part(p))
		}
		return t
	default:
		r.fail(at, "unknown expression kind %q", kind)
		return Literal{}
	}
}

func (r *reader) part(at place) Part {
	if _, isRef := at.v.Get("ref"); isRef {
		r.object(at, "ref")
		return Part{Ref: r.refPath(at, "ref")}
	}
	r.object(at, "text")
	if at.v.At("text").Kind() != canon.KindString {
		r.fail(at, "a template part needs text or ref")
	}
	return Part{Text: r.text(at, "text")}
}

func (r *reader) cond(at place) Cond {
	switch kind := r.text(at, "kind"); kind {
	case "not":
		r.object(at, "kind", "of")
		return Not{Of: r.cond(at.member("of"))}
	case "and":
		r.object(at, "kind", "of")
		return And{Of: r.conds(at)}
	case "or":
		r.object(at, "kind", "of")
		return Or{Of: r.conds(at)}
	case "compare":
		r.object(at, "kind", "op", "left", "right")
		op := CompareOp(r.text(at, "op"))
		switch op {
		case Eq, Ne, Lt, Le, Gt, Ge:
		default:
			r.fail(at, "unknown operator %q", string(op))
		}
		return Compare{Op: op, Left: r.cond(at.member("left")), Right: r.cond(at.member("right"))}
	case "test":
		r.object(at, "kind", "expr")
		return Test{Expr: r.expr(at.member("expr"))}
	default:
		r.fail(at, "unknown condition kind %q", kind)
		return Test{Expr: Literal{}}
	}
}

func (r *reader) conds(at place) []Cond {
	var out []Cond
	for _, p := range r.items(at, "of") {
		out = append(out, r.cond(p))
	}
	return out
}

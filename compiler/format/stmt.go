package format

import (
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

func block(b *syntax.Block) *scope {
	if b == nil {
		return tallBraces(source.Span{})
	}
	return each(tallBraces(b.Braces), b.Stmts, func(s syntax.Stmt) (source.Span, []piece) {
		return s.Span(), statement(s)
	})
}

func statement(s syntax.Stmt) []piece {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		return assign(s)
	case *syntax.ParallelStmt:
		return line(text("parallel "), inside(each(tallBraces(s.Braces), s.Branches, func(a *syntax.AssignStmt) (source.Span, []piece) {
			return a.Span(), assign(a)
		})))
	case *syntax.IfStmt:
		return branch(s)
	case *syntax.ForStmt:
		head := "for "
		if s.Parallel {
			head = "parallel for "
		}
		pieces := append(line(text(head+s.Var.Name+" in ")), value(s.Collection)...)
		return append(pieces, text(" "), inside(block(s.Body)))
	case *syntax.WhileStmt:
		return line(text("while "+condition(s.Cond)+" limit "+s.Limit.Spelling+" "), inside(block(s.Body)))
	case *syntax.RetryStmt:
		return line(text("retry until "+condition(s.Cond)+" limit "+s.Limit.Spelling+" "), inside(block(s.Body)))
	case *syntax.ApprovalStmt:
		return line(text("approval "+s.Name.Name+" "), inside(approval(s)))
	case *syntax.ReturnStmt:
		return append(line(text("return ")), value(s.Value)...)
	case *syntax.CallStmt:
		return value(s.Call)
	}
	return nil
}

func assign(s *syntax.AssignStmt) []piece {
	return append(line(text(s.Name.Name+" = ")), value(s.Value)...)
}

func branch(s *syntax.IfStmt) []piece {
	pieces := line(text("if "+condition(s.Cond)+" "), inside(block(s.Then)))
	g := &gap{span: s.Then.Braces, word: s.ElseAt.Start.Offset}
	g.span.Start = s.Then.Braces.End
	switch {
	case s.ElseIf != nil:
		g.span.End = s.ElseIf.Then.Braces.Start
		return append(append(pieces, piece{gap: g}), branch(s.ElseIf)...)
	case s.Else != nil:
		g.span.End = s.Else.Braces.Start
		return append(pieces, piece{gap: g}, inside(block(s.Else)))
	default:
		return pieces
	}
}

func approval(s *syntax.ApprovalStmt) *scope {
	f := fieldsOf(&s.Body)
	f.text("description", s.Description)
	f.strings("redactKeys", s.RedactKeys)
	if with := object(s.With); with != nil {
		with.tall = true
		f.scope("with", with)
	}
	return f.into
}

func value(e syntax.Expr) []piece {
	switch e := e.(type) {
	case *syntax.PathExpr:
		return line(text(e.Path.String()))
	case *syntax.CallExpr:
		return line(text(e.Callee.String()), inside(each(parens(e.Parens), e.Args, argument)))
	case *syntax.StringExpr:
		return line(literal(e.Text))
	case *syntax.NumberExpr:
		return line(text(e.Number.Spelling))
	case *syntax.BoolExpr:
		return line(text(boolWord(e.Flag.Value)))
	case *syntax.ObjectExpr:
		return line(inside(object(e)))
	}
	return nil
}

func argument(a *syntax.Arg) (source.Span, []piece) {
	if a.Name == nil {
		return a.Span(), value(a.Value)
	}
	return a.Span(), append(line(text(a.Name.Name+": ")), value(a.Value)...)
}

func object(o *syntax.ObjectExpr) *scope {
	if o == nil {
		return nil
	}
	return each(commaBraces(o.Braces), o.Fields, func(f *syntax.ObjectField) (source.Span, []piece) {
		return f.Span(), append(line(text(f.Key.Name+": ")), value(f.Value)...)
	})
}

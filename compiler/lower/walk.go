package lower

import "terfyn/compiler/syntax"

// walk visits every statement of a block in source order, outer before inner.
func walk(b *syntax.Block, visit func(syntax.Stmt)) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		walkStmt(s, visit)
	}
}

func walkStmt(s syntax.Stmt, visit func(syntax.Stmt)) {
	visit(s)
	switch s := s.(type) {
	case *syntax.IfStmt:
		walk(s.Then, visit)
		walk(s.Else, visit)
		if s.ElseIf != nil {
			walkStmt(s.ElseIf, visit)
		}
	case *syntax.ForStmt:
		walk(s.Body, visit)
	case *syntax.WhileStmt:
		walk(s.Body, visit)
	case *syntax.RetryStmt:
		walk(s.Body, visit)
	case *syntax.ParallelStmt:
		for _, branch := range s.Branches {
			visit(branch)
		}
	}
}

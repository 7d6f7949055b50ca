package check

import (
	"terfyn/compiler/internal/scope"
	"terfyn/compiler/syntax"
)

// assigned lists the names that statements may rebind in the scope around them.
func assigned(b *syntax.Block) []string {
	if b == nil {
		return nil
	}
	var out []string
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *syntax.AssignStmt:
			out = append(out, s.Name.Name)
		case *syntax.ApprovalStmt:
			out = append(out, s.Name.Name)
		case *syntax.ParallelStmt:
			for _, branch := range s.Branches {
				out = append(out, branch.Name.Name)
			}
		case *syntax.IfStmt:
			out = append(out, assignedInArms(s)...)
		case *syntax.ForStmt:
			if !s.Parallel {
				out = append(out, scope.Without(assigned(s.Body), s.Var.Name)...)
			}
		case *syntax.WhileStmt:
			out = append(out, assigned(s.Body)...)
		case *syntax.RetryStmt:
			out = append(out, assigned(s.Body)...)
		}
	}
	return out
}

func assignedInArms(s *syntax.IfStmt) []string {
	out := append(assigned(s.Then), assigned(s.Else)...)
	if s.ElseIf != nil {
		out = append(out, assignedInArms(s.ElseIf)...)
	}
	return out
}

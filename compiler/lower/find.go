package lower

import (
	"terfyn/compiler/check"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

// The finders of the table of refusals: each applies one question to all places
// of a kind and reports the nodes it gets.

type finder = func(p *check.Project, report func(source.Span))

// present turns an absent optional node, a nil pointer, into no node.
func present[N any, P interface {
	*N
	syntax.Node
}](n P) syntax.Node {
	if n == nil {
		return nil
	}
	return n
}

func all[D any](list func(*check.Project) []D, ask func(D) syntax.Node) finder {
	return func(p *check.Project, report func(source.Span)) {
		for _, d := range list(p) {
			if n := ask(d); n != nil {
				report(n.Span())
			}
		}
	}
}

func agents(ask func(*syntax.AgentDecl) syntax.Node) finder {
	return all(func(p *check.Project) []*syntax.AgentDecl { return p.Agents }, ask)
}

func tools(ask func(*syntax.ToolDecl) syntax.Node) finder {
	return all(func(p *check.Project) []*syntax.ToolDecl { return p.Tools }, ask)
}

func workflows(ask func(*syntax.WorkflowDecl) syntax.Node) finder {
	return all(func(p *check.Project) []*syntax.WorkflowDecl { return p.Workflows }, ask)
}

func policies(ask func(*syntax.PolicyDecl) syntax.Node) finder {
	return all(func(p *check.Project) []*syntax.PolicyDecl { return p.Policies }, ask)
}

func environments(ask func(*syntax.EnvironmentDecl) syntax.Node) finder {
	return all(func(p *check.Project) []*syntax.EnvironmentDecl { return p.Environments }, ask)
}

// approvals asks every approvals block, those of overrides included.
func approvals(ask func(*syntax.Approvals) syntax.Node) finder {
	return all(func(p *check.Project) []*syntax.Approvals {
		var out []*syntax.Approvals
		for _, d := range p.Policies {
			out = append(out, d.Approvals)
		}
		for _, e := range p.Environments {
			if e.Overrides != nil && e.Overrides.Policies != nil {
				for _, o := range e.Overrides.Policies.Items {
					out = append(out, o.Approvals)
				}
			}
		}
		return out
	}, func(a *syntax.Approvals) syntax.Node {
		if a == nil {
			return nil
		}
		return ask(a)
	})
}

func hitl(ask func(*syntax.HITL) syntax.Node) finder {
	return policies(func(p *syntax.PolicyDecl) syntax.Node {
		if p.HITL == nil {
			return nil
		}
		return ask(p.HITL)
	})
}

func reviews(ask func(*syntax.Review) syntax.Node) finder {
	return all(func(p *check.Project) []*syntax.Review {
		var out []*syntax.Review
		for _, d := range p.Policies {
			if d.HITL != nil && d.HITL.InterruptOn != nil {
				out = append(out, d.HITL.InterruptOn.Items...)
			}
		}
		return out
	}, ask)
}

// operations asks every declared operation.
func operations(ask func(*syntax.Operation) syntax.Node) finder {
	return all(func(p *check.Project) []*syntax.Operation {
		var out []*syntax.Operation
		for _, t := range p.Tools {
			if t.Operations != nil {
				out = append(out, t.Operations.Items...)
			}
		}
		return out
	}, ask)
}

// word finds a word of a list.
func word(list *syntax.IdentList, name string) syntax.Node {
	if list == nil {
		return nil
	}
	for _, i := range list.Items {
		if i.Name == name {
			return i
		}
	}
	return nil
}

// otherApprovals finds what an override of approvals changes beside requiredFor,
// which alone is applied.
func otherApprovals(e *syntax.EnvironmentDecl) syntax.Node {
	if e.Overrides == nil || e.Overrides.Policies == nil {
		return nil
	}
	for _, o := range e.Overrides.Policies.Items {
		a := o.Approvals
		if a == nil {
			continue
		}
		for _, n := range []syntax.Node{
			present(a.RequireAllTools), present(a.Permissive), present(a.Approvers), present(a.MinApprovals),
			present(a.ForbidSubmitter), present(a.TimeoutSeconds), present(a.OnTimeout), present(a.InLoop),
		} {
			if n != nil {
				return n
			}
		}
	}
	return nil
}

// runtimes finds a default runtime that is not the one there is.
func runtimes(p *check.Project, report func(source.Span)) {
	if p.Defaults != nil && p.Defaults.Runtime != nil && p.Defaults.Runtime.Name != "local" {
		report(p.Defaults.Runtime.Span())
	}
}

func typeIs(t *syntax.ToolDecl, name string) syntax.Node {
	if t.Type == nil || t.Type.Name != name {
		return nil
	}
	return t.Type
}

func toolOverrides(e *syntax.EnvironmentDecl) syntax.Node {
	if e.Overrides == nil {
		return nil
	}
	return present(e.Overrides.Tools)
}

// statements reports the statements of one type, at any depth, that ask holds
// for.
func statements[S syntax.Stmt](ask func(S) bool) finder {
	return func(p *check.Project, report func(source.Span)) {
		for _, w := range p.Workflows {
			walk(w.Body, func(s syntax.Stmt) {
				if found, ok := s.(S); ok && ask(found) {
					report(s.Span())
				}
			})
		}
	}
}

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

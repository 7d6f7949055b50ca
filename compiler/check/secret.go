package check

import (
	"terfyn/compiler/diag"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

// secret warns of a text that stands under a name like that of a secret: it would be
// pinned with the program. A text of references alone holds none.
func (b *body) secret(key string, value syntax.Expr, template bool) {
	s, ok := value.(*syntax.StringExpr)
	if !ok || s.Text.Value == "" || !resource.SecretName(key) || resource.SecretReference(s.Text.Value) {
		return
	}
	if template {
		literal := false
		for _, part := range syntax.ParseTemplate(s.Text.Value) {
			literal = literal || !part.Ref
		}
		if !literal {
			return
		}
	}
	b.add(literalSecret(s.Span(), key))
}

func literalSecret(at source.Span, key string) diag.Diagnostic {
	return diag.Warnf(diag.LiteralSecret, at,
		"the text under %s looks like a secret written as a literal; it would be stored with the project and sent along in every run, so let the tool have it (a header with env:NAME) or read it from the input", key)
}

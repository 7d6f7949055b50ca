package ir

// Enveloped reports whether a program with this body wraps the value it returns: at
// least one return is not an object literal (language.md 14.2). Program.Envelope
// says the same of a finished program.
func Enveloped(body []Node) bool {
	for _, n := range body {
		if r, ok := n.(Return); ok {
			if _, object := r.Expr.(Object); !object {
				return true
			}
		}
		for _, b := range Blocks(n) {
			if Enveloped(b.Nodes) {
				return true
			}
		}
	}
	return false
}

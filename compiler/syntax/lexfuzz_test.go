package syntax

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
)

// FuzzLex asserts that tokens and comments stand in order and, in a source without
// errors, cover all but its blanks, and that the text of a token alone is that token.
func FuzzLex(f *testing.F) {
	paths, err := filepath.Glob("testdata/corpus/*.agent")
	if err != nil || len(paths) == 0 {
		f.Fatalf("the corpus is missing: %v", err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	for _, odd := range []string{"\xEF\xBB\xBFa", "a\r\n\tb", `"a\`, `"""a`, "m/x.y//z", "-", "1e", "\x00", "\xff", "//\r\n//"} {
		f.Add(odd)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<14 {
			return
		}
		tokens, comments, problems := lexed(src)
		left := []byte(src)
		take := func(from, to source.Pos) {
			if from.Offset > to.Offset || to.Offset > len(src) {
				t.Fatalf("a lexeme from %d to %d in %d bytes", from.Offset, to.Offset, len(src))
			}
			for i := from.Offset; i < to.Offset; i++ {
				if left[i] == ' ' && src[i] != ' ' {
					t.Fatalf("byte %d belongs to two lexemes", i)
				}
				left[i] = ' '
			}
		}
		last := 0
		for _, tok := range tokens {
			if tok.start.Offset < last || tok.end.Offset <= tok.start.Offset {
				t.Fatalf("token %s at %d, after %d", tok.describe(), tok.start.Offset, last)
			}
			last = tok.end.Offset
			take(tok.start, tok.end)
		}
		for _, c := range comments {
			take(c.At.Start, c.At.End)
		}
		if len(problems) > 0 {
			return
		}
		if rest := strings.Trim(strings.TrimPrefix(string(left), "\xEF\xBB\xBF"), " \t\r\n"); rest != "" {
			t.Fatalf("nothing covers %q", rest)
		}
		for _, tok := range tokens {
			alone, _, problems := lexed(src[tok.start.Offset:tok.end.Offset])
			if tok.kind == kindModelID {
				continue // is one only behind a slash
			}
			if len(problems) > 0 || len(alone) != 1 || alone[0].kind != tok.kind || alone[0].text != tok.text {
				t.Fatalf("%s alone is %+v", tok.describe(), alone)
			}
		}
	})
}

func lexed(src string) (tokens []token, comments []Comment, problems diag.List) {
	l := newLexer(source.NewFile("main.agent", []byte(src)), func(d diag.Diagnostic) bool {
		problems.Add(d)
		return true
	})
	for t := l.next(); t.kind != kindEOF; t = l.next() {
		tokens = append(tokens, t)
	}
	return tokens, l.comments, problems
}

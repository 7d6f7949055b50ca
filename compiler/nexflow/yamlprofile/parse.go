package yamlprofile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"terfyn/compiler/nexflow/manifest"
	"terfyn/internal/canon"
)

// Refusal says why a text is outside the profile.
type Refusal struct {
	Reason manifest.Reason
	// Line is where, counted from 1; 0 when the whole text is meant or the place is
	// not known.
	Line int
	// Fault is the cause under the reason parse, "" where it is not known.
	Fault Fault
}

// Error names the reason and the line, never a part of the text.
func (r *Refusal) Error() string {
	if r.Line == 0 {
		return fmt.Sprintf("outside the YAML profile: %s", r.Reason)
	}
	return fmt.Sprintf("line %d is outside the YAML profile: %s", r.Line, r.Reason)
}

func refuse(reason manifest.Reason, line int) *Refusal { return &Refusal{Reason: reason, Line: line} }

func malformed(f Fault, line int) *Refusal {
	return &Refusal{Reason: manifest.ReasonParse, Line: line, Fault: f}
}

// Parse reads one document. The value is an object; the refusal is nil exactly
// when the text is in the profile.
func Parse(b []byte) (canon.Value, *Refusal) {
	b = withoutSurrogates(withoutMark(b))
	if r := checkText(b); r != nil {
		return canon.Value{}, r
	}
	root, r := decode(b)
	if r != nil {
		return canon.Value{}, r
	}
	if root == nil || root.Kind != yaml.MappingNode {
		return canon.Value{}, refuse(manifest.ReasonRootType, min(line(root), len(lineStarts(b))))
	}
	w := &walker{text: text{bytes: b}}
	m, r := w.node(root, 1)
	if r != nil {
		return canon.Value{}, r
	}
	return m.value, nil
}

func line(n *yaml.Node) int {
	if n == nil {
		return 0
	}
	return n.Line
}

// maxTagDirectives bounds the lines that begin with %TAG: the library compares each
// with all before it, and each tag with all of them.
const maxTagDirectives = 64

// checkText refuses what is no UTF-8, what has line breaks that YAML 1.2 does not
// have, and what the library needs more than linear time for.
func checkText(b []byte) *Refusal {
	if !utf8.Valid(b) {
		return refuse(manifest.ReasonEncoding, 0)
	}
	for _, s := range []string{"\u0085", "\u2028", "\u2029", "\x00"} {
		if i := bytes.Index(b, []byte(s)); i >= 0 {
			return malformed(FaultCharacter, len(lineStarts(b[:i])))
		}
	}
	directives := bytes.Count(b, []byte("\n%TAG")) + bytes.Count(b, []byte("\r%TAG"))
	if bytes.HasPrefix(b, []byte("%TAG")) {
		directives++
	}
	if directives > maxTagDirectives {
		return malformed(FaultDirective, 0)
	}
	return nil
}

// decode returns the root of the only document, nil when there is none.
func decode(b []byte) (root *yaml.Node, r *Refusal) {
	// The library panics on a few inputs that it takes for faults of its own.
	defer func() {
		if recover() != nil {
			root, r = nil, refuse(manifest.ReasonParse, 0)
		}
	}()
	d := yaml.NewDecoder(bytes.NewReader(withoutVersion(b)))
	var document, next yaml.Node
	if err := d.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, malformed(explain(b, err))
	}
	if err := d.Decode(&next); err == nil {
		return nil, refuse(manifest.ReasonMultiDocument, next.Line)
	} else if !errors.Is(err, io.EOF) {
		return nil, malformed(explain(b, err))
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) != 1 {
		return nil, refuse(manifest.ReasonParse, document.Line)
	}
	return document.Content[0], nil
}

// withoutVersion writes the directive %YAML 1.2 as %YAML 1.1, the only version that
// the library lets pass; it makes no difference there.
func withoutVersion(b []byte) []byte {
	for start := 0; start < len(b); {
		rest := b[start:]
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		text := bytes.TrimSpace(line)
		if len(text) > 0 && text[0] != '#' && line[0] != '%' {
			break
		}
		if fields := bytes.Fields(line); len(fields) > 1 && string(fields[0]) == "%YAML" && string(fields[1]) == "1.2" {
			b = bytes.Clone(b)
			b[start+bytes.Index(line, []byte("1.2"))+2] = '1'
			break
		}
		start += len(line) + 1
	}
	return b
}

// lineOf takes the line out of an error of the library, whose text repeats parts
// of the input and is not shown.
func lineOf(err error) int {
	_, after, found := strings.Cut(err.Error(), "line ")
	if !found {
		return 0
	}
	digits, _, _ := strings.Cut(after, ":")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

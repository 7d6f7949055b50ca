package yamlprofile

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const (
	mebibyte = 1 << 20 // what a file may have
	// large is a quarter of that: quadratic work shows in it as well.
	large = mebibyte / 4
)

// fill repeats unit between head and tail up to a large text.
func fill(head, unit, tail string) string {
	return head + strings.Repeat(unit, (large-len(head)-len(tail))/len(unit)) + tail
}

// counted is fill with the number of the repetition in it.
func counted(head, format, tail string) string {
	var b strings.Builder
	b.WriteString(head)
	for i := 0; b.Len() < large-len(tail)-32; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String() + tail
}

func stairs() string {
	var b strings.Builder
	for i := 0; b.Len() < large-2000; i++ {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// hostile are large texts that each stress one thing in the library
// or in this package.
func hostile() map[string]string {
	pyramid := strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + ","
	return map[string]string{
		"open lists": fill("a: ", "[", ""), "open mappings": fill("a: ", "{a: ", ""), "items at 9990 levels": fill("a: "+strings.Repeat("[", 9990), "1,", ""),
		"pyramids": fill("a: [", pyramid, "]"), "stairs": stairs(), "dashes in a line": fill("a:\n ", "- ", "x"), "question marks": fill("", "? ", ""),
		"keys": counted("", "k%d: 1\n", ""), "flow keys": counted("{", "\"k%d\",", "}"), "one key again": fill("", "a: 1\n", ""), "long keys": fill("{", strings.Repeat("k", 1000)+",", "}"),
		"items": fill("a: [", "1,", "]"), "empty items": fill("a:\n", "-\n", ""), "pairs in a list": fill("a: [", "{a: [b]},", "]"),
		"a long plain text": fill("a: ", "x ", ""), "a long quoted text": fill("a: \"", "\\n", "\""), "a long block": fill("a: >\n", " x\n", ""), "a text of empty lines": fill("a: \"", "\n", "\""), "indented empty lines": fill("a: |\n", strings.Repeat(" ", 1000)+"\n", ""),
		"digits": fill("a: ", "7", ""), "hexadecimal digits": fill("a: 0x", "f", ""), "octal digits": fill("a: 0o", "7", ""), "decimals": fill("a: 0.", "7", ""), "an exponent": fill("a: 1e", "7", ""),
		"anchors": counted("a: [", "&a%d 1,", "]"), "one anchor again": fill("a: [", "&a 1,", "]"), "aliases": fill("a: &a 1\nb: [", "*a,", "]"), "a long anchor": fill("a: &", "a", " 1"),
		"documents": fill("", "---\n", ""), "documents after documents": fill("", "a: 1\n---\n", ""), "ends of documents": fill("a: 1\n", "...\n", ""),
		"comments": fill("a: 1\n", "#\n\n", ""), "comments at items": fill("a:\n", "- 1 # x\n# y\n", ""), "comments at keys": counted("", "# c\nk%d: 1 # d\n", ""), "comments in a list": fill("a: [\n", "1, # x\n", "]"), "comments below": counted("", "k%d:\n  - x\n\n  # f\n\n", ""), "a long comment": fill("a: 1 #", "é", ""),
		"tags": fill("a: [", "!!str x,", "]"), "tag directives": counted("", "%%TAG !a%d! tag:x,2000:\n", "---\na: 1"), "late tag directives": counted("a: 1\n...\n", "%%TAG !a%d! tag:x,2000:\n", "---\na: 1"),
		"lone tags": fill("a: [", "! x,", "]"), "one lone tag": fill("a: [! x,", "y,", "]"), "anchors before lone tags": fill("a: [", "&b ! x,", "]"),
		"blanks": fill("a:", " ", "1"), "carriage returns": fill("a: 1", "\r", ""), "dashes": fill("", "-", ""), "colons": fill("a", ":", ""),
		"doubling": doubling(50), "doubling a text": "x: &x " + strings.Repeat("y", large/2) + "\na: &a [" + strings.Repeat("*x,", 40) + "]\nb: [" + strings.Repeat("*a,", 40) + "]\n",
	}
}

// TestHostileTextsEndSoon gives each of them far more time than linear work needs
// and far less than quadratic work would.
func TestHostileTextsEndSoon(t *testing.T) {
	t.Parallel()
	for name, text := range hostile() {
		start := time.Now()
		if _, r := Parse([]byte(text)); r != nil && r.Line < 0 {
			t.Errorf("%s: %v", name, r)
		}
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}

// Package answer owns reading the output document from a model's answer: exactly
// one JSON object, with prose and code fences around it tolerated. It leaves out
// the check against the output schema.
package answer

import (
	"fmt"
	"strings"

	"terfyn/internal/canon"
)

// notObject starts every refusal but the ambiguous one.
const notObject = "agent response is not a JSON object"

// Extract returns the one JSON object in text. None, or a broken or cut one, and
// more than one are errors that say which; null, arrays and scalars are no
// objects. Errors hold no content.
func Extract(text string) (canon.Value, error) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return canon.Value{}, fmt.Errorf("%s: the answer is empty", notObject)
	}
	if v, err := canon.Parse([]byte(trimmed)); err == nil {
		if v.Kind() != canon.KindObject {
			return canon.Value{}, fmt.Errorf("%s: the answer is of kind %s", notObject, v.Kind())
		}
		return v, nil
	}
	found, err := objects([]byte(text))
	switch {
	case err != nil:
		return canon.Value{}, err
	case len(found) == 0:
		return canon.Value{}, fmt.Errorf("%s: the answer holds none", notObject)
	case len(found) > 1:
		return canon.Value{}, fmt.Errorf("agent response is ambiguous: it holds %d JSON objects, exactly one is needed", len(found))
	}
	return found[0], nil
}

// objects scans for top-level objects. Arrays are skipped whole: an object inside
// of an array is not the answer. A bracket that does not start JSON is prose when
// it closes before another one opens; otherwise the text is taken as broken JSON,
// since an object found inside of a broken one would be a fragment.
func objects(b []byte) ([]canon.Value, error) {
	var found []canon.Value
	for i := 0; i < len(b); i++ {
		if b[i] != '{' && b[i] != '[' {
			continue
		}
		v, n, err := canon.ParsePrefix(b[i:])
		if err == nil {
			if v.Kind() == canon.KindObject {
				found = append(found, v)
			}
			i += n - 1
			continue
		}
		end, prose := proseBrackets(b[i:])
		if !prose {
			return nil, fmt.Errorf("%s: the JSON that starts at byte %d is cut or broken", notObject, i)
		}
		i += end
	}
	return found, nil
}

// proseBrackets reports whether b, which starts with a bracket that opens no
// JSON value, is a remark such as {name} or [note]; end is the index of its last byte.
func proseBrackets(b []byte) (end int, prose bool) {
	if b[0] == '{' {
		rest := strings.TrimLeft(string(b[1:min(len(b), 64)]), " \t\r\n")
		if strings.HasPrefix(rest, `"`) {
			return 0, false
		}
	}
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			return 0, false
		case '}', ']':
			return i, true
		}
	}
	return len(b) - 1, true
}

package schema

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"terfyn/internal/canon"
)

// toLibrary converts to the forms the schema library reads; numbers keep their
// spelling.
func toLibrary(v canon.Value) any {
	switch v.Kind() {
	case canon.KindBool:
		b, _ := v.AsBool()
		return b
	case canon.KindNumber:
		return toNumber(v)
	case canon.KindString:
		s, _ := v.AsString()
		return s
	case canon.KindList:
		items := v.Items()
		list := make([]any, len(items))
		for i, item := range items {
			list[i] = toLibrary(item)
		}
		return list
	case canon.KindObject:
		fields := v.Fields()
		object := make(map[string]any, len(fields))
		for _, f := range fields {
			object[f.Name] = toLibrary(f.Value)
		}
		return object
	default:
		return nil
	}
}

// maxDigits is how long a number may be. The library makes a fraction of every
// number, and a mebibyte of digits would keep it busy for half a minute.
const maxDigits = 1000

// toNumber spells a number. Of a longer one only the beginning is kept: it is an
// integer still, and beyond every limit that the schemas have.
func toNumber(v canon.Value) json.Number {
	text, _ := v.NumberText()
	return json.Number(text[:min(len(text), maxDigits)])
}

// token writes a member name as the library writes it in locations: a segment of a
// JSON Pointer, escaped again for an address.
func token(name string) string {
	return url.PathEscape(pointerEscapes.Replace(name))
}

var (
	pointerEscapes   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescapes = strings.NewReplacer("~1", "/", "~0", "~")
)

// segments splits a location of the library into plain names.
func segments(location string) []string {
	if plain, err := url.PathUnescape(location); err == nil {
		location = plain
	}
	if location == "" {
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(location, "/"), "/")
	for i, p := range parts {
		parts[i] = pointerUnescapes.Replace(p)
	}
	return parts
}

// follow walks from v along names and indices; null when there is nothing.
func follow(v canon.Value, names []string) canon.Value {
	for _, name := range names {
		if v.Kind() != canon.KindList {
			v = v.At(name)
			continue
		}
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= len(v.Items()) {
			return canon.Null()
		}
		v = v.Items()[i]
	}
	return v
}

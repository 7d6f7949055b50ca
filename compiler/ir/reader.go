package ir

import (
	"fmt"
	"slices"
	"strings"

	"terfyn/internal/canon"
)

// reader walks a serialised program. It keeps the first complaint and the place
// where it arose; after that every read gives an empty value, so the decoding
// code needs no error checks of its own.
type reader struct{ err error }

// place is one value with the way to it, for messages.
type place struct {
	v    canon.Value
	path string
}

func (p place) member(name string) place { return place{p.v.At(name), p.path + "." + name} }

func (r *reader) fail(at place, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("decode program: %s: %s", at.path, fmt.Sprintf(format, args...))
	}
}

// object demands an object whose members are all in known.
func (r *reader) object(at place, known ...string) {
	if at.v.Kind() != canon.KindObject {
		r.fail(at, "expected an object, found %s", at.v.Kind())
		return
	}
	for _, f := range at.v.Fields() {
		if !slices.Contains(known, f.Name) {
			r.fail(at, "unknown field %q", f.Name)
			return
		}
	}
}

// text reads an optional string member; "" when it is absent.
func (r *reader) text(at place, name string) string {
	v, present := at.v.Get(name)
	if !present {
		return ""
	}
	s, ok := v.AsString()
	if !ok {
		r.fail(at.member(name), "expected a string, found %s", v.Kind())
	}
	return s
}

// needText reads a string member that must not be empty.
func (r *reader) needText(at place, name string) string {
	s := r.text(at, name)
	if s == "" {
		r.fail(at, "field %q is missing or empty", name)
	}
	return s
}

func (r *reader) flag(at place, name string) bool {
	v, present := at.v.Get(name)
	if !present {
		return false
	}
	b, ok := v.AsBool()
	if !ok {
		r.fail(at.member(name), "expected a boolean, found %s", v.Kind())
	}
	return b
}

// limit reads the round limit of a loop.
func (r *reader) limit(at place) int {
	i, ok := at.v.At("limit").AsInt()
	if !ok || i < 1 || i > MaxLimit {
		r.fail(at.member("limit"), "expected a whole number from 1 to %d", MaxLimit)
		return 0
	}
	return int(i)
}

// items reads an optional array member.
func (r *reader) items(at place, name string) []place {
	v, present := at.v.Get(name)
	if !present {
		return nil
	}
	return r.elements(place{v, at.path + "." + name})
}

func (r *reader) elements(at place) []place {
	if at.v.Kind() != canon.KindList {
		r.fail(at, "expected an array, found %s", at.v.Kind())
		return nil
	}
	out := make([]place, len(at.v.Items()))
	for i, v := range at.v.Items() {
		out[i] = place{v, fmt.Sprintf("%s[%d]", at.path, i)}
	}
	return out
}

func (r *reader) texts(at place, name string) []string {
	var out []string
	for _, p := range r.items(at, name) {
		s, ok := p.v.AsString()
		if !ok {
			r.fail(p, "expected a string, found %s", p.v.Kind())
			return nil
		}
		out = append(out, s)
	}
	return out
}

// refPath reads a reference: at least a head, and no empty name before the end.
func (r *reader) refPath(at place, name string) []string {
	path := r.texts(at, name)
	if len(path) == 0 || path[0] == "" {
		r.fail(at, "field %q needs at least one name", name)
	}
	return path
}

func (r *reader) version(at place) {
	v, present := at.v.Get("formatVersion")
	if n, ok := v.AsInt(); !present || !ok || n != FormatVersion {
		found := "none"
		if present {
			found = v.JSON()
		}
		r.fail(at, "format version %s is unknown, this build reads version %d", found, FormatVersion)
	}
}

// site reads a node id: it becomes a segment of call sites, which are joined
// with / and #.
func (r *reader) site(at place) string {
	id := r.needText(at, "id")
	if strings.ContainsAny(id, "/#") {
		r.fail(at, "id %q holds / or #", id)
	}
	return id
}

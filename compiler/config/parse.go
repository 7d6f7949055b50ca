package config

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"terfyn/compiler/diag"
	"terfyn/compiler/internal/yamlvalue"
	"terfyn/compiler/resource"
	"terfyn/compiler/source"
	"terfyn/internal/canon"
)

// MaxBytes is how large a file may be.
const MaxBytes = 1 << 20

// Parse reads one file. With complaints the Settings hold what was right. path is
// what messages and places show.
func Parse(path string, b []byte) (File, diag.List) {
	p := &parser{file: source.NewFile(path, b), out: File{Path: path}}
	if len(b) > MaxBytes {
		p.diags.Add(unusable(source.Span{File: path}, "it is larger than %d bytes", MaxBytes))
		return p.out, p.diags
	}
	v, places, err := yamlvalue.ParsePlaced(b)
	if err != nil {
		line, text := yamlvalue.Line(err)
		p.diags.Add(unusable(p.at(yamlvalue.Place{Line: line, Col: 1}), "it is no YAML of the expected form: %s", text))
		return p.out, p.diags
	}
	p.places = places
	switch v.Kind() {
	case canon.KindNull: // an empty file
	case canon.KindObject:
		p.root(v)
	default:
		p.diags.Add(unusable(p.at(yamlvalue.Place{Line: 1, Col: 1}), "it must be a mapping with the keys %s", strings.Join(keys, ", ")))
	}
	p.diags.Sort()
	return p.out, p.diags
}

type parser struct {
	file   *source.File
	places map[string]yamlvalue.Member
	out    File
	diags  diag.List
}

// keys are those of a file.
var keys = []string{"color", "limits", "output"}

// outputs are the values of output.
var outputs = []string{"table", "json", "yaml"}

func (p *parser) root(v canon.Value) {
	for _, f := range v.Fields() {
		switch f.Name {
		case "color":
			if on, ok := f.Value.AsBool(); ok {
				p.out.Color = &on
			} else {
				p.wrong(f.Name, "true or false", f.Value)
			}
		case "output":
			word, _ := f.Value.AsString()
			if p.choice(f.Name, f.Value, outputs) {
				p.out.Output = word
			}
		case "limits":
			p.limits(f.Value)
		default:
			p.unknown(f.Name, f.Name, keys)
		}
	}
}

func (p *parser) limits(v canon.Value) {
	if v.Kind() != canon.KindObject {
		p.wrong("limits", "a mapping of limits", v)
		return
	}
	fields := reflect.ValueOf(&p.out.Limits).Elem()
	names := limitNames()
	for _, f := range v.Fields() {
		path := "limits." + f.Name
		i := indexOf(names, f.Name)
		if i < 0 {
			p.unknown(path, f.Name, names)
			continue
		}
		if fields.Field(i).Kind() == reflect.Int64 {
			if n, ok := f.Value.AsInt(); ok && n > 0 {
				fields.Field(i).SetInt(n)
			} else {
				p.wrong(path, "a whole number, 1 or more", f.Value)
			}
			continue
		}
		words := []string{string(resource.Truncate), string(resource.Fail)}
		if f.Name == "checkpointExceedPolicy" {
			words = words[1:] // a cut checkpoint could not be resumed
		}
		if word, _ := f.Value.AsString(); p.choice(path, f.Value, words) {
			fields.Field(i).SetString(word)
		}
	}
}

// limitNames are the names of limits, in the order of the fields of resource.Limits.
func limitNames() []string {
	t := reflect.TypeFor[resource.Limits]()
	out := make([]string, t.NumField())
	for i := range out {
		out[i], _, _ = strings.Cut(t.Field(i).Tag.Get("json"), ",")
	}
	return out
}

func indexOf(list []string, s string) int {
	for i, v := range list {
		if v == s {
			return i
		}
	}
	return -1
}

func (p *parser) choice(path string, v canon.Value, words []string) bool {
	word, ok := v.AsString()
	if ok && indexOf(words, word) >= 0 {
		return true
	}
	p.wrong(path, strings.Join(words, " or "), v)
	return false
}

func (p *parser) wrong(path, want string, found canon.Value) {
	shown := found.JSON()
	if len(shown) > 40 {
		shown = found.Kind().String()
	}
	p.diags.Add(diag.Errorf(diag.BadConfig, p.at(p.places[path].Value), "%s must be %s; found %s", path, want, shown))
}

// unknown says what a file is for when somebody looks for more in it.
func (p *parser) unknown(path, name string, known []string) {
	at := p.at(p.places[path].Key)
	at = p.file.Span(at.Start.Offset, at.Start.Offset+len(name))
	d := diag.Errorf(diag.UnknownConfigKey, at,
		"unknown key %q; the keys here are %s; a user-local file sets limits and preferences, and never what a project may do",
		path, strings.Join(known, ", "))
	if string(p.file.Bytes[at.Start.Offset:at.End.Offset]) == name { // it is not quoted
		d = d.Meant(at, name, known)
	}
	p.diags.Add(d)
}

func unusable(at source.Span, format string, args ...any) diag.Diagnostic {
	return diag.Errorf(diag.BadConfig, at, "this configuration cannot be used: %s", fmt.Sprintf(format, args...))
}

// at is the place of one character. Columns of YAML count characters, ours bytes.
func (p *parser) at(place yamlvalue.Place) source.Span {
	if place.Line < 1 {
		return source.Span{File: p.file.Path}
	}
	offset := p.file.Start()
	for n := 1; n < place.Line; n++ {
		next := bytes.IndexByte(p.file.Bytes[offset:], '\n')
		if next < 0 {
			break
		}
		offset += next + 1
	}
	for n := 1; n < place.Col && offset < len(p.file.Bytes); n++ {
		_, size := utf8.DecodeRune(p.file.Bytes[offset:])
		offset += size
	}
	return p.file.Span(offset, offset+1)
}

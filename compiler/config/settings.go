package config

import (
	"cmp"
	"reflect"

	"terfyn/compiler/resource"
)

// Settings is what one file, or several merged, say. Zero values are not said.
type Settings struct {
	Limits resource.Limits
	Output string // table, json or yaml
	Color  *bool
}

// Over returns s with what it does not say taken from below.
func (s Settings) Over(below Settings) Settings {
	out := Settings{Limits: s.Limits.Over(below.Limits), Output: cmp.Or(s.Output, below.Output), Color: s.Color}
	if out.Color == nil {
		out.Color = below.Color
	}
	return out
}

// File is one file with what it says.
type File struct {
	Path string // as messages show it
	Settings
}

// Merge joins files, the one that counts most first.
func Merge(files ...File) Settings {
	var out Settings
	for _, f := range files {
		out = out.Over(f.Settings)
	}
	return out
}

// Limit is one limit that a file sets for a project.
type Limit struct {
	Name  string
	Value any    // int64 or resource.Exceed
	From  string // the path of the file
}

// Effective lists, in the order of resource.Limits, the limits that come from files
// because the project does not set them. The file that counts most stands first.
func Effective(project resource.Limits, files ...File) []Limit {
	var out []Limit
	own := reflect.ValueOf(project)
	for i := range own.NumField() {
		if !own.Field(i).IsZero() {
			continue
		}
		for _, f := range files {
			set := reflect.ValueOf(f.Limits).Field(i)
			if !set.IsZero() {
				out = append(out, Limit{Name: limitNames()[i], Value: set.Interface(), From: f.Path})
				break
			}
		}
	}
	return out
}

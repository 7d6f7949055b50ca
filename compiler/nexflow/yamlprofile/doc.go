// Package yamlprofile reads the part of YAML that manifests are written in
// (nexflow.md section 2): one document in strict UTF-8 whose values could stand in
// a JSON text.
//
// The package go.yaml.in/yaml/v3 makes the tree of nodes, and nothing but the
// tree: what a scalar means is decided here by its style and the patterns of the
// YAML 1.2 core schema, because the library still knows dates, merges, underscores
// and binary numbers. What this package settles where section 2 is silent:
//
//   - A byte order mark at the very beginning is allowed, as in YAML 1.2 (5.2); any
//     other encoding than UTF-8 is not.
//   - The characters U+0085, U+2028 and U+2029 end a line for the library and are
//     ordinary characters in YAML 1.2. A text that has them unescaped would be read
//     in two ways, so it is refused. Escaped in double quotes they are fine.
//   - The core tags !!str, !!int, !!float, !!bool, !!null, !!seq and !!map may be
//     written where they fit; !!str makes a string of any scalar. Every other tag is
//     custom. The lone ! makes a string, as in YAML 1.2.
//   - A number beyond the range of a double is non-finite unless it is an integer;
//     integers are exact at any length.
//   - Nesting ends at 256 levels and an expanded alias counts in full: towards the
//     nesting, towards 2^20 values and towards 32 MiB of text. Values are shared,
//     never copied.
//
// It leaves out the size of files, which whoever opens them bounds.
package yamlprofile

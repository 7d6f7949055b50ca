// Package canon owns the value model of terfyn: JSON values with exact numbers,
// one canonical byte form, and digests over it.
//
// Everything that is hashed, compared, stored or carried through a workflow is a
// Value. Numbers follow language.md section 13.2: an integer spelling keeps every
// digit whatever its size; any other spelling is the double it denotes, written
// as an integer when it is whole and within the signed 64-bit range. Encoding
// after parsing is a fixed point.
//
// The package encodes and decodes by hand: workflow code reaches it and must not
// reach encoding/json. It leaves out schemas (compiler/types) and redaction
// (activities/record).
package canon

package planner

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"terfyn/internal/canon"
)

// FileFormat is the version of saved plans.
const FileFormat = 1

// ErrFileFormat marks a saved plan of a version this build does not read.
var ErrFileFormat = errors.New("unknown plan format version")

// ErrFileDigest marks a saved plan that was altered.
var ErrFileDigest = errors.New("plan does not match its digest")

// EncodeFile is the content of a saved plan.
func EncodeFile(p Plan) []byte {
	return append(p.JSON().With("formatVersion", canon.Int(FileFormat)).Encode(), '\n')
}

// DecodeFile reads a saved plan and checks it against its digest. Errors:
// ErrFileFormat naming both versions, ErrFileDigest, or what is wrong with the
// document.
func DecodeFile(b []byte) (Plan, error) {
	doc, err := canon.Parse(b)
	if err != nil {
		return Plan{}, fmt.Errorf("read the saved plan: %w", err)
	}
	if version, ok := doc.At("formatVersion").AsInt(); !ok || version != FileFormat {
		return Plan{}, fmt.Errorf("read the saved plan: %w %s; this build reads version %d, make the plan again", ErrFileFormat, doc.At("formatVersion").JSON(), FileFormat)
	}
	var p Plan
	d := json.NewDecoder(bytes.NewReader(doc.Without("formatVersion").Without("digest").Encode()))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return Plan{}, fmt.Errorf("read the saved plan: %w", err)
	}
	if got, want := p.Digest(), canon.Digest(doc.Str("digest")); got != want {
		return Plan{}, fmt.Errorf("read the saved plan: %w: it says %s and has %s", ErrFileDigest, want, got)
	}
	return p, nil
}

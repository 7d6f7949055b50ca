package planner

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"terfyn/internal/canon"
)

// FileFormat is the version of saved plans.
const FileFormat = 3

// ErrNotPlan marks content that is no saved plan: no JSON, cut short, or something
// else altogether.
var ErrNotPlan = errors.New("not a saved plan")

// ErrFileFormat marks a saved plan of a version this build does not read.
var ErrFileFormat = errors.New("unknown plan format version")

// ErrFileDigest marks a saved plan that was altered.
var ErrFileDigest = errors.New("plan does not match its digest")

// EncodeFile is the content of a saved plan. fileDigest is over everything else in
// it, also over what the digest of the plan leaves out.
func EncodeFile(p Plan) []byte {
	return append(sealed(p).Encode(), '\n')
}

func sealed(p Plan) canon.Value {
	doc := p.document(foldedBounds).With("digest", canon.String(string(p.Digest()))).With("formatVersion", canon.Int(FileFormat))
	return doc.With("fileDigest", canon.String(string(doc.Digest())))
}

// DecodeFile reads a saved plan and checks that it is what EncodeFile wrote, byte by
// byte. Errors wrap ErrNotPlan, ErrFileFormat naming both versions, or ErrFileDigest.
func DecodeFile(b []byte) (Plan, error) {
	doc, err := canon.Parse(b)
	if err != nil {
		return Plan{}, fmt.Errorf("%w: %w", ErrNotPlan, err)
	}
	written, ok := doc.Get("formatVersion")
	if !ok {
		return Plan{}, fmt.Errorf("%w: it has no formatVersion", ErrNotPlan)
	}
	if version, ok := written.AsInt(); !ok || version != FileFormat {
		return Plan{}, fmt.Errorf("read the saved plan: %w %s; this build reads version %d, make the plan again", ErrFileFormat, written.JSON(), FileFormat)
	}
	content := doc.Without("fileDigest")
	if got, want := content.Digest(), canon.Digest(doc.Str("fileDigest")); got != want {
		return Plan{}, fmt.Errorf("read the saved plan: %w: it says %s and has %s; make the plan again", ErrFileDigest, want, got)
	}
	p, err := decode(content)
	if err != nil {
		return Plan{}, fmt.Errorf("read the saved plan: %w: %w; make the plan again", ErrFileDigest, err)
	}
	// Members that are missing, twice there, spelled in another way or of another plan.
	if !bytes.Equal(sealed(p).Encode(), bytes.TrimSpace(b)) {
		return Plan{}, fmt.Errorf("read the saved plan: %w: it is not the document of the plan it holds; make the plan again", ErrFileDigest)
	}
	return p, nil
}

// decode reads the members of a plan from its file.
func decode(content canon.Value) (Plan, error) {
	var p Plan
	d := json.NewDecoder(bytes.NewReader(content.Without("formatVersion").Without("digest").Without("effectBound").Encode()))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return Plan{}, err
	}
	bounds, err := unfold(content.At("effectBound"))
	p.EffectBound = bounds
	return p, err
}

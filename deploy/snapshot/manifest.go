package snapshot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

// ManifestFormat is the version of the serialised capability manifest.
const ManifestFormat = 1

// Manifest is the closed world of a snapshot: which operations exist, with
// their effects and the digests of the schemas that check their arguments.
type Manifest struct {
	Tools []ManifestTool `json:"tools"` // sorted by name
}

// ManifestTool is one tool of a manifest. Flags are nil where the author said nothing.
type ManifestTool struct {
	Name string `json:"name"`
	Type string `json:"type"`
	// Closed: only Operations can be called, none when it is empty. An open
	// tool takes any operation name.
	Closed           bool                `json:"closed"`
	Trusted          *bool               `json:"trusted,omitempty"`
	SideEffects      *bool               `json:"sideEffects,omitempty"`
	RequiresApproval *bool               `json:"requiresApproval,omitempty"`
	Exclusive        string              `json:"exclusive,omitempty"`
	Operations       []ManifestOperation `json:"operations,omitempty"` // sorted by name
}

// ManifestOperation is one callable operation.
type ManifestOperation struct {
	Name         string   `json:"name"`
	RemoteName   string   `json:"remoteName,omitempty"`
	Effects      []string `json:"effects,omitempty"`
	Schema       string   `json:"schema,omitempty"`
	OutputSchema string   `json:"outputSchema,omitempty"`
	// SchemaDigest and OutputSchemaDigest are over the canonical documents; empty
	// when there is no schema or it was not captured.
	SchemaDigest       canon.Digest `json:"schemaDigest,omitempty"`
	OutputSchemaDigest canon.Digest `json:"outputSchemaDigest,omitempty"`
	ReadOnly           *bool        `json:"readOnly,omitempty"`
	// SideEffects is the resolved answer of tool and operation together.
	SideEffects    bool   `json:"sideEffects"`
	Idempotency    string `json:"idempotency,omitempty"`
	Reconcile      string `json:"reconcile,omitempty"`
	Delivered      string `json:"delivered,omitempty"`
	TimeoutSeconds int64  `json:"timeoutSeconds,omitempty"`
	MaxInputBytes  int64  `json:"maxInputBytes,omitempty"`
	MaxOutputBytes int64  `json:"maxOutputBytes,omitempty"`
}

// NewManifest derives the manifest of a graph; schemas are the captured documents by path.
func NewManifest(g resource.Graph, schemas map[string]canon.Value) Manifest {
	m := Manifest{Tools: make([]ManifestTool, 0, len(g.Tools))}
	for _, t := range g.Tools {
		entry := ManifestTool{
			Name: t.Name, Type: t.Type, Closed: t.OperationsDeclared,
			Trusted: t.Safety.Trusted, SideEffects: t.Safety.SideEffects, RequiresApproval: t.Safety.RequiresApproval,
			Exclusive: t.Exclusive,
		}
		for _, o := range t.Operations {
			entry.Operations = append(entry.Operations, manifestOperation(t, o, schemas))
		}
		slices.SortFunc(entry.Operations, func(a, b ManifestOperation) int { return strings.Compare(a.Name, b.Name) })
		m.Tools = append(m.Tools, entry)
	}
	slices.SortFunc(m.Tools, func(a, b ManifestTool) int { return strings.Compare(a.Name, b.Name) })
	return m
}

func manifestOperation(t resource.Tool, o resource.Operation, schemas map[string]canon.Value) ManifestOperation {
	effects := slices.Clone(o.Effects)
	slices.Sort(effects)
	return ManifestOperation{
		Name: o.Name, RemoteName: o.RemoteName, Effects: effects,
		Schema: o.Schema, SchemaDigest: schemaDigest(schemas, o.Schema),
		OutputSchema: o.OutputSchema, OutputSchemaDigest: schemaDigest(schemas, o.OutputSchema),
		ReadOnly: o.ReadOnly, SideEffects: t.HasSideEffects(o.Name),
		Idempotency: o.Idempotency, Reconcile: o.Reconcile, Delivered: o.Delivered,
		TimeoutSeconds: o.TimeoutSeconds, MaxInputBytes: o.MaxInputBytes, MaxOutputBytes: o.MaxOutputBytes,
	}
}

func schemaDigest(schemas map[string]canon.Value, path string) canon.Digest {
	doc, ok := schemas[path]
	if !ok {
		return ""
	}
	return doc.Digest()
}

// Tool returns the entry of name.
func (m Manifest) Tool(name string) (ManifestTool, bool) {
	for _, t := range m.Tools {
		if t.Name == name {
			return t, true
		}
	}
	return ManifestTool{}, false
}

// Operation returns the entry of name.
func (t ManifestTool) Operation(name string) (ManifestOperation, bool) {
	for _, o := range t.Operations {
		if o.Name == name {
			return o, true
		}
	}
	return ManifestOperation{}, false
}

// Allows reports whether the operation can be called at all: the tool exists,
// and is open or lists it. A grant and the policy are asked separately.
func (m Manifest) Allows(tool, operation string) bool {
	t, ok := m.Tool(tool)
	if !ok || operation == "" {
		return false
	}
	_, listed := t.Operation(operation)
	return listed || !t.Closed
}

type manifestDocument struct {
	FormatVersion int64 `json:"formatVersion"`
	Manifest
}

// Encode returns the canonical bytes.
func (m Manifest) Encode() []byte {
	if m.Tools == nil {
		m.Tools = []ManifestTool{}
	}
	raw, err := json.Marshal(manifestDocument{FormatVersion: ManifestFormat, Manifest: m})
	if err != nil {
		panic(fmt.Sprintf("snapshot: a manifest of plain fields cannot be encoded: %v", err))
	}
	v, err := canon.Parse(raw)
	if err != nil {
		panic(fmt.Sprintf("snapshot: encoded manifest is not JSON: %v", err))
	}
	return v.Encode()
}

// Digest is the digest of the canonical bytes.
func (m Manifest) Digest() canon.Digest { return canon.Sum(m.Encode()) }

// DecodeManifest reads canonical bytes; a *FormatError for another format
// version, an error for fields or a spelling that Encode would not produce.
func DecodeManifest(b []byte) (Manifest, error) {
	v, err := canon.Parse(b)
	if err != nil {
		return Manifest{}, fmt.Errorf("read the capability manifest: %w", err)
	}
	if err := checkFormat("capability manifest", v, ManifestFormat); err != nil {
		return Manifest{}, err
	}
	var doc manifestDocument
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&doc); err != nil {
		return Manifest{}, fmt.Errorf("read the capability manifest: %w", err)
	}
	if !bytes.Equal(doc.Encode(), b) {
		return Manifest{}, fmt.Errorf("read the capability manifest: its bytes are not in canonical form")
	}
	return doc.Manifest, nil
}

package nexflow

import (
	"terfyn/compiler/nexflow/budget"
	"terfyn/compiler/nexflow/discovery"
	"terfyn/compiler/nexflow/starter"
)

// Source is a folder with manifests that can be opened. The function that Open gives
// closes it again.
type Source interface {
	Open() (discovery.Files, func() error, error)
}

// Folder is an existing folder that takes new documents.
type Folder interface {
	// Look tells what lies at the place of a document.
	Look(file starter.File) starter.Found
	// Create makes the files of a plan, all or none; starter has its errors.
	Create(p starter.Plan) error
	Close() error
}

// Destination is a folder for new documents that can be opened.
type Destination interface {
	Open() (Folder, error)
}

// Layer is the last one that validate runs. The zero Layer is the last there is.
type Layer string

// The layers to stop after. ThroughSemantic includes the core profile.
const (
	ThroughDiscovery Layer = "discovery"
	ThroughSchema    Layer = "schema"
	ThroughSemantic  Layer = "semantic"
)

// Layers lists the layers to stop after.
func Layers() []Layer { return []Layer{ThroughDiscovery, ThroughSchema, ThroughSemantic} }

// Request is what a command is asked.
type Request struct {
	Version string // of this program
	Command budget.Command

	// Source has the set, for the commands that read one.
	Source    Source
	Selection discovery.Selection
	Limits    discovery.Limits // zero for the default

	Layer  Layer // of validate
	Strict bool  // of validate: warnings count as errors

	// Against is an earlier set that inspect compares with, nil for none. Its
	// documents are chosen in the same way.
	Against Source

	// Destination, ID and Name are of init.
	Destination Destination
	ID, Name    string

	// Text is what help and version say.
	Text string
}

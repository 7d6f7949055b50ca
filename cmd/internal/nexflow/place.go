package nexflow

import (
	"terfyn/cmd/internal/nexfile"
	"terfyn/compiler/nexflow"
	"terfyn/compiler/nexflow/discovery"
)

// root is a folder that is read, opened when the answer gets that far.
type root string

// Open implements the facade's Source.
func (r root) Open() (discovery.Files, func() error, error) {
	opened, err := nexfile.OpenRoot(string(r))
	if err != nil {
		return nil, nil, err
	}
	return opened, opened.Close, nil
}

// folder is a folder that init writes to.
type folder string

// Open implements the facade's Destination.
func (f folder) Open() (nexflow.Folder, error) {
	opened, err := nexfile.OpenFolder(string(f))
	if err != nil {
		return nil, err
	}
	return opened, nil
}

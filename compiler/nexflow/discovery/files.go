package discovery

import (
	"fmt"

	"terfyn/compiler/nexflow/manifest"
)

// Entry is what a name in the root is.
type Entry uint8

// The entries.
const (
	Absent Entry = iota
	Regular
	// Other is a folder, a link or something else that is no regular file.
	Other
)

// Files is the only access that discovery has to a file system.
type Files interface {
	// Look tells what name, directly below the root, is, without following links:
	// absent, regular, or something else.
	Look(name string) (Entry, error)
	// Read returns the bytes of the regular file name (slash-separated, cleaned, inside
	// the root), refusing symbolic links in every component, anything that is not a
	// regular file, and more than limit bytes; errors are *Refused with the reason.
	Read(name string, limit int64) ([]byte, error)
}

// Refused says why a file was not read. Only the reasons symlink, not-regular,
// unreadable and size make sense; any other error counts as unreadable.
type Refused struct{ Reason manifest.Reason }

// Error names the reason.
func (r *Refused) Error() string { return fmt.Sprintf("the file is refused: %s", r.Reason) }

// Selection is how the caller chose documents; with both fields empty the root is
// looked through for a Project.
type Selection struct {
	// Project is the locator of the Project, whose hints lead to the others.
	Project string
	// Files are the locators of all documents; hints are not followed.
	Files []string
}

// Mode is the mode of the selection.
func (s Selection) Mode() manifest.Mode {
	switch {
	case len(s.Files) > 0:
		return manifest.ExplicitFileList
	case s.Project != "":
		return manifest.ProjectSourceHints
	default:
		return manifest.DirectoryProject
	}
}

// Limits bound one call. A zero field takes the value of DefaultLimits.
type Limits struct {
	// Documents is how many documents one call reads.
	Documents int
	// Bytes is the greatest size of one document.
	Bytes int64
	// Values is how many values all documents may have together, with what aliases
	// repeat. It is ours: 128 documents of nothing but small values take many times
	// their size in memory.
	Values int
}

// DefaultLimits are those of nexflow.md section 2, and ours.
var DefaultLimits = Limits{Documents: 128, Bytes: 1 << 20, Values: 1 << 22}

func (l Limits) orDefault() Limits {
	if l.Documents == 0 {
		l.Documents = DefaultLimits.Documents
	}
	if l.Bytes == 0 {
		l.Bytes = DefaultLimits.Bytes
	}
	if l.Values == 0 {
		l.Values = DefaultLimits.Values
	}
	return l
}

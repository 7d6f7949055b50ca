package discovery

import (
	"fmt"

	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
)

// wording is what is said about a reason.
type wording struct{ message, suggestion string }

// wordings of the reasons for which one source is refused.
var wordings = map[manifest.Reason]wording{
	manifest.ReasonExtension:     {"The name of the file does not end in .yaml or .yml.", "Give the file one of these endings."},
	manifest.ReasonSymlink:       {"The path goes through a symbolic link.", "Put the file itself in the place of the link."},
	manifest.ReasonNotRegular:    {"The path does not lead to a regular file.", "Name a regular file."},
	manifest.ReasonUnreadable:    {"The file does not exist or cannot be read.", "Check the path from the root, and that the file may be read."},
	manifest.ReasonLocator:       {"A locator is blank, too long or has characters that do not belong in a name.", "Name the document by its path from the root."},
	manifest.ReasonEncoding:      {"The file is not encoded in UTF-8.", "Save the file as UTF-8."},
	manifest.ReasonParse:         {"The file is not well-formed YAML 1.2, or nested too deep.", "Correct the YAML."},
	manifest.ReasonMultiDocument: {"The file holds more than one YAML document.", "Keep one document in a file."},
	manifest.ReasonDuplicateKey:  {"A mapping has one key twice.", "Keep one of the two."},
	manifest.ReasonKeyType:       {"A mapping has a key that is not a string.", "Put the key in quotes."},
	manifest.ReasonTag:           {"A value has a tag that YAML's core schema does not have or that does not fit it.", "Leave the tag out."},
	manifest.ReasonAliasLimit:    {"The file uses more aliases, or aliases make it larger, than is read.", "Write the values out, or use fewer aliases."},
	manifest.ReasonCycle:         {"An alias stands inside the value that it repeats.", "Leave the alias out."},
	manifest.ReasonNonFinite:     {"A number is infinite, not a number, or too large.", "Write a finite number."},
	manifest.ReasonRootType:      {"The document is not a mapping.", "Begin with specVersion, kind and metadata."},
}

// unsafe is the complaint about one source; line is 0 when none is known.
func unsafe(file string, reason manifest.Reason, line int) manifest.Record {
	w, known := wordings[reason]
	if !known {
		reason = manifest.ReasonUnreadable
		w = wordings[reason]
	}
	if line > 0 {
		w.suggestion = fmt.Sprintf("%s See line %d.", w.suggestion, line)
	}
	return with(complaint(code.DiscoveryUnsafeSource, file, w.message, w.suggestion), manifest.Details{Reason: reason})
}

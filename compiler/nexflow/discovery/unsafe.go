package discovery

import (
	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/yamlprofile"
)

// wording is what is said about a reason. In messages FILE, PATH and LOCATOR stand for
// the subject, which names the hint that leads to it.
type wording struct{ message, suggestion string }

// wordings of the reasons for which one source is refused.
var wordings = map[manifest.Reason]wording{
	manifest.ReasonExtension:     {"The name of FILE does not end in .yaml or .yml.", "Give the file one of these endings."},
	manifest.ReasonSymlink:       {"PATH goes through a symbolic link.", "Put the file itself in the place of the link."},
	manifest.ReasonNotRegular:    {"PATH does not lead to a regular file.", "Name a regular file."},
	manifest.ReasonUnreadable:    {"FILE does not exist or cannot be read.", "Check the path from the root, and that the file may be read."},
	manifest.ReasonLocator:       {"LOCATOR is blank, too long or has characters that do not belong in a name.", "Name the document by its path from the root."},
	manifest.ReasonEncoding:      {"FILE is not encoded in UTF-8.", "Save the file as UTF-8."},
	manifest.ReasonParse:         {"FILE is not well-formed YAML 1.2.", "Correct the YAML."},
	manifest.ReasonMultiDocument: {"FILE holds more than one YAML document.", "Keep one document in a file."},
	manifest.ReasonDuplicateKey:  {"FILE has a mapping with one key twice.", "Keep one of the two."},
	manifest.ReasonKeyType:       {"FILE has a mapping with a key that is not a string.", "Put the key in quotes."},
	manifest.ReasonTag:           {"FILE has a value with a tag that YAML's core schema does not have or that does not fit it.", "Leave the tag out."},
	manifest.ReasonAliasLimit:    {"FILE uses more aliases, or aliases make it larger, than is read.", "Write the values out, or use fewer aliases."},
	manifest.ReasonCycle:         {"FILE has an alias inside the value that it repeats.", "Leave the alias out."},
	manifest.ReasonNonFinite:     {"FILE has a number that is infinite, not a number, or too large.", "Write a finite number."},
	manifest.ReasonRootType:      {"FILE is not a mapping.", "Begin with specVersion, kind and metadata."},
}

// faults is why a text is not well-formed.
var faults = map[yamlprofile.Fault]wording{
	yamlprofile.FaultTab:       {"FILE is indented with a tab, which YAML does not allow.", "Indent with blanks."},
	yamlprofile.FaultColon:     {"FILE has a colon inside an unquoted text.", "Put the text in quotes."},
	yamlprofile.FaultBracket:   {"FILE has a bracket or brace without its counterpart, or a comma too few or too many between brackets.", "Close what is open, and put one comma between two elements."},
	yamlprofile.FaultQuote:     {"FILE has a quote that is not closed.", "Close the quote."},
	yamlprofile.FaultAfter:     {"FILE has something behind a quoted text, or a quote that is closed too early or too late.", "Put the whole text in quotes, and write a quote inside it twice or with a backslash."},
	yamlprofile.FaultEscape:    {"FILE has a backslash in double quotes that does not begin an escape of YAML.", "Write the backslash twice, or use single quotes."},
	yamlprofile.FaultIndent:    {"FILE has a line that is indented less or more than its neighbours.", "Indent what belongs together alike."},
	yamlprofile.FaultEntry:     {"FILE has a hyphen of a list where no list can begin.", "Begin the list on a line of its own, or put the text in quotes."},
	yamlprofile.FaultNoColon:   {"FILE has a line that is neither a field nor an entry of a list.", "Write a colon and a blank between name and value."},
	yamlprofile.FaultAlias:     {"FILE has an alias of an anchor that does not stand before it.", "Write the value out, or put a text that begins with an asterisk in quotes."},
	yamlprofile.FaultStart:     {"FILE has an unquoted text that begins with a sign that means something in YAML.", "Put the text in quotes."},
	yamlprofile.FaultCharacter: {"FILE has a character that does not belong in YAML, such as a control character or a line separator.", "Remove the character, or escape it in double quotes."},
	yamlprofile.FaultDepth:     {"FILE is nested too deep.", "Nest less."},
	yamlprofile.FaultDirective: {"FILE has a line with a percent sign that is no directive of YAML 1.2, or too many directives.", "Remove the line, or put the text in quotes."},
}

// unsafe is the complaint about one source.
func unsafe(s source, reason manifest.Reason) manifest.Record {
	w, known := wordings[reason]
	if !known {
		reason = manifest.ReasonUnreadable
		w = wordings[reason]
	}
	return said(s, w, reason)
}

func said(s source, w wording, reason manifest.Reason) manifest.Record {
	return with(complaint(code.DiscoveryUnsafeSource, s.file(), s.subject(w.message), w.suggestion), manifest.Details{Reason: reason})
}

// refused is the complaint about a text outside the profile.
func refused(s source, r *yamlprofile.Refusal) manifest.Record {
	out := unsafe(s, r.Reason)
	if w, known := faults[r.Fault]; known {
		out = said(s, w, r.Reason)
	}
	out.Line = r.Line
	return out
}

// Package discovery finds the documents of a manifest set: the Project, the
// documents that its hints or the caller name, and nothing else (nexflow.md
// section 4). It asks three questions of each of them: is the source safe to read,
// is it a document of this draft, and does it belong to the one Project of the set.
// The set is loaded whole or not at all.
//
// It leaves out the shape of documents (schema), what they mean (refs, rules), and
// the opening of files, which is behind the interface Files.
//
// What it settles where section 4 is silent:
//
//   - A document is known by its cleaned locator; only the record about a repeated
//     path shows both locators as they were written.
//   - The Project counts towards the greatest number of documents.
//   - A blank locator, one of more than 512 bytes, and one with characters that do
//     not belong in a name are refused for the reason locator and not repeated.
//   - Hints are taken in the order of their keys, so that the order in the file
//     decides nothing.
//   - Line numbers of refused texts stand in the suggestion: the message has a fixed
//     wording.
package discovery

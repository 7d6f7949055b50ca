// Package schema holds the JSON Schemas of NexFlow 0.1 (draft 2020-12), one for each
// kind of document, and checks the documents of a set against them: the structural
// layer of nexflow.md section 5.
//
// The schemas are files below v0.1, compiled into the program. They accept what the
// public schemas of the draft accept; layout, titles and addresses are ours. Their
// addresses name no place, and nothing is ever loaded from elsewhere.
//
// It leaves out what documents must mean together (refs, rules), and how many findings
// are shown (report).
package schema

// Package verify owns the rules of execution programs that no source text stands
// behind: what package check says about statements of the language, said about
// programs a machine built. Where the language has a rule, the code and the words
// are those of package check; rules of form that the syntax alone guarantees have
// the code TF2520.
//
// It reads programs, the graph they belong to and schema documents. It leaves out
// the rules of the graph (package validate), effects, and everything of syntax. Its
// diagnostics carry no position; the File of their place names the workflow and the
// call site, as in workflow/review/if/then/note.
package verify

package format

import (
	"strings"

	"terfyn/compiler/diag"
	"terfyn/compiler/source"
	"terfyn/compiler/syntax"
)

// Source formats one file. With errors in the file it gives nil bytes and the
// errors: such a file is to be left as it is. The result has LF line ends and a
// final newline, is empty for a file without declarations and comments, and
// formats to itself.
func Source(file *source.File) ([]byte, diag.List) {
	unit, problems := syntax.Parse(file, syntax.ParseLimits{})
	if problems.HasErrors() {
		return nil, problems
	}
	return Unit(unit), problems
}

// Unit prints a tree. The tree must be whole: declarations marked Broken print as
// far as they were read. A tree built by hand needs no positions; one with
// comments needs those of Parse.
func Unit(u *syntax.Unit) []byte {
	root := &scope{tall: true, root: true}
	for _, d := range u.Decls {
		root.items = append(root.items, declaration(d))
	}
	place(u, root)
	p := &printer{}
	p.tall(root)
	return []byte(strings.TrimLeft(p.out.String(), "\n"))
}

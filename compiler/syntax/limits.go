package syntax

// ParseLimits bounds what Parse spends on one file. A zero field means its default.
type ParseLimits struct {
	Depth  int // nesting of braces, parentheses, else-if and ! levels; default 200
	Bytes  int // size of the file; default 16 MiB
	Errors int // errors reported before parsing stops; default 100
}

func (l ParseLimits) withDefaults() ParseLimits {
	if l.Depth <= 0 {
		l.Depth = 200
	}
	if l.Bytes <= 0 {
		l.Bytes = 16 << 20
	}
	if l.Errors <= 0 {
		l.Errors = 100
	}
	return l
}

package render

// Palette colours words on a terminal. The zero Palette leaves text as it is.
type Palette struct{ on bool }

// NewPalette colours when on is set.
func NewPalette(on bool) Palette { return Palette{on: on} }

// Good marks what went well or is added.
func (p Palette) Good(s string) string { return p.in("32", s) }

// Careful marks what changes or waits.
func (p Palette) Careful(s string) string { return p.in("33", s) }

// Bad marks what failed, is removed or is grave.
func (p Palette) Bad(s string) string { return p.in("31", s) }

// Strong marks a heading.
func (p Palette) Strong(s string) string { return p.in("1", s) }

func (p Palette) in(code, s string) string {
	if !p.on {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

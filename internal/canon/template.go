package canon

// Text renders v inside of other text (language.md section 7): strings as they
// are, integers in plain decimal, booleans as words, null as null, objects and
// arrays as compact JSON.
func (v Value) Text() string {
	if v.kind == KindString {
		return v.text
	}
	return v.JSON()
}

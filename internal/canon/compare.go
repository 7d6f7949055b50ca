package canon

// Equal is the total structural equality of the language (language.md section
// 6): numbers by value, arrays by order, objects by members, kinds never mixed.
func Equal(a, b Value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case KindNull:
		return true
	case KindBool:
		return a.flag == b.flag
	case KindNumber:
		return compareNumbers(a.text, b.text) == 0
	case KindString:
		return a.text == b.text
	case KindList:
		return equalLists(a.Items(), b.Items())
	default:
		return equalFields(a.Fields(), b.Fields())
	}
}

func equalLists(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !Equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

func equalFields(a, b []Field) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || !Equal(a[i].Value, b[i].Value) {
			return false
		}
	}
	return true
}

// Compare orders two numbers; ok is false when either is not one.
func Compare(a, b Value) (order int, ok bool) {
	if a.kind != KindNumber || b.kind != KindNumber {
		return 0, false
	}
	return compareNumbers(a.text, b.text), true
}

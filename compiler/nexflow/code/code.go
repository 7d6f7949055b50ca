package code

// Code names a kind of finding.
type Code string

// Entry is what the catalogue says about a code.
type Entry struct {
	Code Code
	// Severity is error, warning or info; "error or warning" where the state of the
	// definition decides.
	Severity string
	// Meaning is one line for people.
	Meaning string
}

// Severities of entries.
const (
	isError   = "error"
	isWarning = "warning"
	isInfo    = "info"
	// byStatus is an error for active definitions and a warning for others.
	byStatus = "error or warning"
	// bySource also looks at whether the missing source is required.
	bySource = "error, warning or info"
)

// All lists every code that this build can give, in byte order.
func All() []Entry { return entries }

// Lookup finds the entry of a code.
func Lookup(c Code) (Entry, bool) {
	for _, e := range entries {
		if e.Code == c {
			return e, true
		}
	}
	return Entry{}, false
}

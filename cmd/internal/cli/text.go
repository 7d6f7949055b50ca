package cli

import (
	"fmt"
	"io"
)

// say writes one line of a result. The streams of a process report their own
// errors, there is nowhere else to tell them.
func say(w io.Writer, format string, args ...any) {
	_, _ = fmt.Fprintf(w, format+"\n", args...)
}

package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"terfyn/compiler/diag"
	nexcode "terfyn/compiler/nexflow/code"
	"terfyn/docs"
)

func newExplain(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "explain CODE",
		Short: "Show the page of a diagnostic code: what it means, an example, the repair",
		Args:  arguments(1, 1, "a code, such as TF2001"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return offer(nil)
			}
			return offer(codes(true))
		},
		RunE: func(_ *cobra.Command, args []string) error {
			code := strings.ToUpper(args[0])
			if e, ok := nexcode.Lookup(nexcode.Code(code)); ok {
				page := entryPage(e)
				return a.show(func(w io.Writer) { _, _ = io.WriteString(w, page) }, str("code", code), str("summary", e.Meaning), str("page", page))
			}
			page, ok := docs.Page(code)
			summary, registered := diag.SummaryOf(diag.Code(code))
			if !ok || !registered {
				return usagef("there is no diagnostic code %s; %sa code is TF and four digits, as it stands at the end of a message, or one of terfyn nexflow, as it stands at the beginning", args[0], meant(code, codes(false)))
			}
			return a.show(func(w io.Writer) { _, _ = io.WriteString(w, page) }, str("code", code), str("summary", summary), str("page", page))
		},
	}
}

// entryPage is what there is to say about a code of terfyn nexflow.
func entryPage(e nexcode.Entry) string {
	return "# " + string(e.Code) + "\n\n" + strings.ToUpper(e.Meaning[:1]) + e.Meaning[1:] + ".\n\nSeverity: " + e.Severity + ". Given by: terfyn nexflow.\n"
}

// codes lists the registered codes, described as completion shows them.
func codes(described bool) []string {
	var out []string
	for _, c := range diag.Codes() {
		name := string(c)
		if summary, _ := diag.SummaryOf(c); described {
			name += "\t" + summary
		}
		out = append(out, name)
	}
	for _, e := range nexcode.All() {
		name := string(e.Code)
		if described {
			name += "\t" + e.Meaning
		}
		out = append(out, name)
	}
	return out
}

package cli

import (
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// The sizes of pages.
const (
	defaultLimit = 50
	maxLimit     = 500
)

func bindPage(c *cobra.Command, limit *int, after *string) {
	c.Flags().IntVar(limit, "limit", defaultLimit, "rows of one page, at most 500")
	c.Flags().StringVar(after, "page", "", "continue with the page after this key, as the page before printed it")
}

func checkLimit(n int) error {
	if n < 1 || n > maxLimit {
		return usagef("--limit %d is out of range; use 1 to %d", n, maxLimit)
	}
	return nil
}

// pageKey names the last row of a page.
func pageKey(at time.Time, id string) string {
	return at.UTC().Format(time.RFC3339Nano) + "," + id
}

func pageStart(key string) (at time.Time, id string, err error) {
	if key == "" {
		return time.Time{}, "", nil
	}
	stamp, id, ok := strings.Cut(key, ",")
	at, err = time.Parse(time.RFC3339Nano, stamp)
	if err != nil || !ok || id == "" {
		return time.Time{}, "", usagef("--page %q is no page key; use the one that the page before printed", key)
	}
	return at, id, nil
}

func more(w io.Writer, next string) {
	if next != "" {
		say(w, "More with: --page %s", next)
	}
}

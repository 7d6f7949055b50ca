package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"terfyn/store"
)

// checked refuses text that one of the databases would refuse or cut: both have
// to mean the same.
type checked struct{ Conn }

func (c checked) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	if err := checkText(args); err != nil {
		return 0, err
	}
	return c.Conn.Exec(ctx, query, args...)
}

func (c checked) Query(ctx context.Context, query string, args []any, scan func(Row) error) error {
	if err := checkText(args); err != nil {
		return err
	}
	return c.Conn.Query(ctx, query, args, scan)
}

func checkText(args []any) error {
	for _, a := range args {
		s, ok := a.(string)
		if ok && (!utf8.ValidString(s) || strings.IndexByte(s, 0) >= 0) {
			return fmt.Errorf("the text %.40q holds a zero byte or is not valid UTF-8", s)
		}
	}
	return nil
}

// prose makes free text storable: messages quote what tools and models send.
func prose(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// document gives the argument for a column of canonical JSON, nil for none. It
// is text, not a JSON type, so that bytes and numbers come back as they went.
func document(b []byte) any {
	if b == nil {
		return nil
	}
	return string(b)
}

// list encodes a list of words for a text column.
func list(words []string) string {
	if len(words) == 0 {
		return "[]"
	}
	b, err := json.Marshal(words)
	if err != nil {
		panic(err) // strings always encode
	}
	return string(b)
}

// listInto scans what list wrote; an empty list becomes nil.
type listInto struct{ words *[]string }

func (l listInto) Scan(src any) error {
	text, err := asText(src)
	if err != nil {
		return err
	}
	*l.words = nil
	if text == "" || text == "[]" {
		return nil
	}
	return json.Unmarshal([]byte(text), l.words)
}

// textTime is how SQLite keeps times: UTC, fixed width, so text order is time order.
const textTime = "2006-01-02T15:04:05.000000Z"

// FormatTime gives the text of t for a database without a type for times.
func FormatTime(t time.Time) string { return t.UTC().Format(textTime) }

// timeInto scans a time of either database as UTC; NULL becomes the zero time.
type timeInto struct{ t *time.Time }

func (d timeInto) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*d.t = time.Time{}
		return nil
	case time.Time:
		*d.t = v.UTC()
		return nil
	}
	text, err := asText(src)
	if err != nil {
		return err
	}
	t, err := time.Parse(textTime, text)
	if err != nil {
		return fmt.Errorf("stored time: %w", err)
	}
	*d.t = t
	return nil
}

func asText(src any) (string, error) {
	switch v := src.(type) {
	case string:
		return v, nil
	case []byte:
		return string(v), nil
	}
	return "", fmt.Errorf("stored column has the type %T, not text", src)
}

// micros cuts t to what both databases keep.
func micros(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Microsecond)
}

// orNow is micros with the current time for zero.
func orNow(t time.Time) time.Time {
	if t.IsZero() {
		t = time.Now()
	}
	return micros(t)
}

// marks returns "$1,$2,…,$n".
func marks(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		if i > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "$%d", i)
	}
	return b.String()
}

// one runs a query for a single row; no row gives store.ErrNotFound.
func one(ctx context.Context, c Conn, query string, args []any, scan func(Row) error) error {
	found := false
	err := c.Query(ctx, query, args, func(r Row) error {
		found = true
		return scan(r)
	})
	if err == nil && !found {
		return store.ErrNotFound
	}
	return err
}

// limit gives the page size: def for zero, at most most.
func limit(asked, def, most int) int {
	if asked <= 0 {
		return def
	}
	return min(asked, most)
}

// where collects the conditions of a listing.
type where struct {
	terms []string
	args  []any
}

// add appends a condition whose %d are filled with the numbers of args.
func (w *where) add(format string, args ...any) {
	numbers := make([]any, len(args))
	for i := range args {
		numbers[i] = len(w.args) + i + 1
	}
	w.args = append(w.args, args...)
	w.terms = append(w.terms, fmt.Sprintf(format, numbers...))
}

func (w *where) String() string {
	if len(w.terms) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.terms, " AND ")
}

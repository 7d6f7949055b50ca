package view

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"terfyn/compiler/nexflow/report"
)

// mostPlaces is how many objects with unknown fields the text lists beside those that
// need a look.
const mostPlaces = 20

func (a Authority) writeUnknownFields(s *sheet) {
	if len(a.UnknownFields) == 0 {
		return
	}
	s.table("Fields that no schema knows, so that they mean nothing, and that look like slips; their names are not shown", "HOW MANY", "PLACE", "NEAR", "")
	left, unlisted := mostPlaces, 0
	for _, u := range a.UnknownFields {
		if len(u.Marks) == 0 {
			if left == 0 {
				unlisted++
				continue
			}
			left--
		}
		s.row(u.Marks, strconv.Itoa(u.Count), strings.TrimSpace(report.Word(u.File)+" "+pointer(u.Path)), u.near(), markWords(u.Marks))
	}
	switch {
	case a.UnknownFieldsTruncated:
		s.end("There are more than are listed here or in JSON, or more names than were compared.")
	case unlisted > 0:
		s.end(fmt.Sprintf("%s more; JSON lists them.", report.Count(unlisted, "object")))
	default:
		s.end()
	}
}

// near is what the unknown fields may have been meant to be.
func (u UnknownFields) near() string {
	var out []string
	for _, name := range u.Near {
		out = append(out, "near "+name)
	}
	for _, m := range u.Misplaced {
		out = append(out, m.Field+" of "+cmp.Or(pointer(m.In), "the document"))
	}
	return orDash(strings.Join(out, ", "))
}

// pointer is a place in a document, "" for the document itself.
func pointer(path string) string {
	if path == "" {
		return ""
	}
	return report.Word(path)
}

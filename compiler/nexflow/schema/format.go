package schema

import (
	"regexp"
	"strconv"
	"time"
)

// moment splits a date-time of RFC 3339 into date, hour, minute, second, and sign,
// hours and minutes of the offset, which are empty for Z. The library's own check
// lets signs stand for digits, as in T+1:00:00Z.
var moment = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$`)

// isDate reports whether s is a full-date of RFC 3339: a day that exists.
func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// isMoment reports whether s is a date-time of RFC 3339. A second 60 is one only
// where leap seconds are: at the end of a day in UTC.
func isMoment(s string) bool {
	part := moment.FindStringSubmatch(s)
	if part == nil || !isDate(part[1]) {
		return false
	}
	hour, minute, second := number(part[2]), number(part[3]), number(part[4])
	aheadHours, aheadMinutes := number(part[6]), number(part[7])
	if hour > 23 || minute > 59 || second > 60 || aheadHours > 23 || aheadMinutes > 59 {
		return false
	}
	if second < 60 {
		return true
	}
	ahead := aheadHours*60 + aheadMinutes
	if part[5] == "-" {
		ahead = -ahead
	}
	const day = 24 * 60
	return (hour*60+minute-ahead+day)%day == day-1
}

// number reads digits; none are zero.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

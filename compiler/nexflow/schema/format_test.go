package schema

import "testing"

func TestDates(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"2026-06-01": true, "2028-02-29": true, "0000-01-01": true,
		"2026-02-29": false, "2026-13-40": false, "2026-6-1": false, "26-06-01": false, "2026-06-01T00:00:00Z": false,
		"2026-06-00": false, " 2026-06-01": false, "2026-06-01\n": false, "": false, "+026-06-01": false, "2026/06/01": false,
	} {
		if isDate(s) != want {
			t.Errorf("isDate(%q) is %t", s, !want)
		}
	}
}

func TestMoments(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"2026-06-01T12:30:00Z": true, "2026-06-01t12:30:00z": true, "2026-06-01T12:30:00.123456789012+14:00": true, "2026-06-01T12:30:00-00:00": true,
		"2016-12-31T23:59:60Z": true, "2017-01-01T00:59:60+01:00": true, "2016-12-31T18:59:60-05:00": true,
		"2016-12-31T23:59:60+01:00": false, "2016-12-31T12:00:60Z": false, "2016-12-31T23:59:61Z": false,
		"2026-06-01 12:30:00Z": false, "2026-06-01T12:30:00": false, "2026-06-01T12:30Z": false, "2026-06-01T24:00:00Z": false, "2026-06-01T12:60:00Z": false,
		"2026-06-01T12:30:00+1:00": false, "2026-06-01T12:30:00+0100": false, "2026-06-01T12:30:00+24:00": false, "2026-06-01T12:30:00+01:60": false,
		"2026-06-01T12:30:00.Z": false, "2026-06-01T+1:30:00Z": false, "2026-06-01T-0:30:00Z": false, "2026-06-01T12:30:00Zz": false,
		"2026-02-29T12:30:00Z": false, "2026-06-01": false, "": false, "2026-06-01T12:30:00Z\n": false,
	} {
		if isMoment(s) != want {
			t.Errorf("isMoment(%q) is %t", s, !want)
		}
	}
}

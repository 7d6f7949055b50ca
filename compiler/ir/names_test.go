package ir

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	t.Parallel()
	n := Names{Mark: "_"}
	var got []string
	for _, wanted := range strings.Fields("a a a_2 a a_2 b a_4 a") {
		got = append(got, n.Take(wanted))
	}
	if want := "a a_2 a_2_2 a_3 a_2_3 b a_4 a_5"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if s := Sites(); s.Take("x")+s.Take("x") != "xx~2" {
		t.Error("the mark of call sites is not ~")
	}
}

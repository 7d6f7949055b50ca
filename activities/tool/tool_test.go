package tool_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"terfyn/activities/tool"
	"terfyn/compiler/resource"
	"terfyn/internal/canon"
)

func parse(t *testing.T, text string) canon.Value {
	t.Helper()
	v, err := canon.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestErrorMessagesAreBoundedAndValid(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "short", "bad \xff byte", strings.Repeat("ä", 3<<20), strings.Repeat("\xff", 3<<20), strings.Repeat("\xff", tool.MaxMessage)} {
		e := tool.Failf(tool.Failed, "x", "%s", text)
		if len(e.Error()) > tool.MaxMessage || !utf8.ValidString(e.Error()) {
			t.Errorf("message of %d bytes, valid %v", len(e.Error()), utf8.ValidString(e.Error()))
		}
	}
	if got := tool.Failf(tool.Failed, "x", "%s", "kept").Error(); got != "kept" {
		t.Errorf("short message changed: %q", got)
	}
	long := tool.Failf(tool.Failed, "x", "%s", strings.Repeat("é", 5000)).Error()
	if !strings.HasSuffix(long, "é… [cut]") {
		t.Errorf("cut inside of a character: %q", long[len(long)-20:])
	}
}

func TestLimitKeepsTheShape(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", 1000)
	for _, c := range []struct {
		name, in, want string
		limit          int64
	}{
		{"exactly at the limit", `{"a":"b"}`, `{"a":"b"}`, 9},
		{"no limit", `"abc"`, `"abc"`, 0},
		{"string", `"` + big + `"`, `"xxxxx… [truncated]"`, 22},
		{"escapes count", `"` + strings.Repeat(`\n`, 100) + `"`, `"\n\n… [truncated]"`, 22},
		{"small members stay", `{"id":9007199254740993,"log":"` + big + `","ok":true}`, `{"id":9007199254740993,"log":"xxxxxxxxxxxxxx… [truncated]","ok":true}`, 120},
		{"list keeps its head", `[1,2,3,4,5,6,` + strings.Repeat("7,", 100) + `8]`, `[1,2,3,"… [104 more]"]`, 57},
		{"too many members", `{"a":1,"b":2,"` + big + `":3}`, `{"_truncated":"1 members","a":1,"b":2}`, 90},
		{"number too long", `123456789`, `null`, 4},
	} {
		got, isCut := tool.Limit(parse(t, c.in), c.limit)
		if got.JSON() != c.want || isCut != (c.want != c.in) {
			t.Errorf("%s: %s (%d bytes, cut %v)", c.name, got.JSON(), len(got.JSON()), isCut)
		}
		if c.limit > 0 && int64(len(got.JSON())) > c.limit {
			t.Errorf("%s: %d bytes over the limit", c.name, len(got.JSON()))
		}
	}
}

func FuzzLimit(f *testing.F) {
	for _, s := range []string{`{"a":"` + strings.Repeat("é\\n", 100) + `"}`, `[[[["x"]]]]`, `{"a":{"b":[1,"yy"]},"c":"z"}`, `"\u0001\u0001"`} {
		f.Add(s, int64(20))
		f.Add(s, int64(3))
		f.Add(s, int64(120))
	}
	f.Fuzz(func(t *testing.T, text string, limit int64) {
		v, err := canon.Parse([]byte(text))
		if err != nil || limit < 4 || limit > 4096 {
			return
		}
		got, isCut := tool.Limit(v, limit)
		if int64(len(got.Encode())) > limit {
			t.Fatalf("limit %d gives %d bytes: %s", limit, len(got.Encode()), got.JSON())
		}
		if isCut == canon.Equal(v, got) {
			t.Fatalf("cut %v, but equal %v", isCut, !isCut)
		}
		again, _ := tool.Limit(v, limit)
		if !canon.Equal(got, again) {
			t.Fatal("two cuts differ")
		}
	})
}

func TestRedact(t *testing.T) {
	t.Parallel()
	in := parse(t, `{"headers":{"auth":"Bearer s3cr3t-value"},"list":["s3cr3t-value",1,null],"s3cr3t-value":true,"short":"abc"}`)
	want := `{"[REDACTED]":true,"headers":{"auth":"Bearer [REDACTED]"},"list":["[REDACTED]",1,null],"short":"abc"}`
	if got := tool.Redact(in, []string{"s3cr3t-value", "abc"}).JSON(); got != want {
		t.Errorf("redacted: %s", got)
	}
}

type fixed struct{ out canon.Value }

func (f fixed) Call(context.Context, tool.Call) (tool.Result, error) {
	return tool.Result{Output: f.out}, nil
}

func TestRegistryDispatchesByType(t *testing.T) {
	t.Parallel()
	r := tool.NewRegistry(map[string]tool.Transport{"b": fixed{canon.Int(2)}, "a": fixed{canon.Int(1)}})
	if got := strings.Join(r.Types(), ","); got != "a,b" {
		t.Errorf("types %s", got)
	}
	got, err := r.Call(t.Context(), tool.Call{Tool: resource.Tool{Type: "b"}})
	if err != nil || got.Output.JSON() != "2" {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = r.Call(t.Context(), tool.Call{Tool: resource.Tool{Name: "x", Type: "ghost"}})
	if e, ok := errors.AsType[*tool.Error](err); !ok || e.Class != tool.BadInput || !strings.Contains(e.Message, "ghost") {
		t.Errorf("unknown type: %v", err)
	}
}

func TestEffectsDecideWhatALostCallMeans(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	yes, no := true, false
	for _, c := range []struct {
		call tool.Call
		sent bool
		want tool.Class
	}{
		{tool.Call{}, true, tool.Unknown},
		{tool.Call{}, false, tool.NotSent},
		{tool.Call{Operation: resource.Operation{ReadOnly: &yes}}, true, tool.NotSent},
		{tool.Call{Operation: resource.Operation{ReadOnly: &no}, Tool: resource.Tool{Safety: resource.Safety{SideEffects: &no}}}, true, tool.Unknown},
		{tool.Call{Tool: resource.Tool{Safety: resource.Safety{SideEffects: &no}}}, true, tool.NotSent},
	} {
		e := tool.Ended(ctx, c.call, c.sent)
		if e.Class != c.want || !errors.Is(e, context.Canceled) {
			t.Errorf("%+v sent %v: %+v", c.call, c.sent, e)
		}
	}
}

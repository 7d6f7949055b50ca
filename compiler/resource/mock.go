package resource

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"terfyn/internal/canon"
)

// MockScript is what the mock model says: the file mocks/<name>.yaml of a
// model mock/<name>. Playing it is stateless, so the script is plain data.
type MockScript struct {
	Conversations []MockConversation // tried in order
}

// MockConversation is one conversation, played when Match fits the agent's input.
type MockConversation struct {
	Match MockMatch
	Turns []MockTurn
}

// MockMatch is a condition on a document; the zero MockMatch fits every one.
type MockMatch struct {
	Fields   []MockField // all must be equal
	Contains string      // text found in the document's JSON or in one of its strings
}

// MockField compares the value at a dotted path with Value, by canon.Equal. A
// number in the path indexes an array; what is absent is null.
type MockField struct {
	Path  string
	Value canon.Value
}

// MockTurn is one answer of the mock model. Error excludes everything else;
// Output and Text exclude each other.
type MockTurn struct {
	Calls   []MockCall
	Output  *canon.Value // an object, sent as its canonical JSON
	Text    string
	HasText bool // Text was written, also when it is empty
	Input   int64
	Tokens  int64  // output tokens
	CostUSD string // decimal, "" = not stated
	Stop    string // "", end, tools, length or filter
	Error   *MockFault
}

// MockCall is one tool call: the name shown to the model and its arguments.
type MockCall struct {
	Tool      string
	Arguments canon.Value
}

// MockFault is a provider failure: an HTTP status (0 = connection lost) or, for
// tools, an error class.
type MockFault struct {
	Status  int64
	Class   string
	Message string
}

// MockToolScript is what a tool of type mock answers, by operation.
type MockToolScript struct {
	Operations []MockOperation // sorted by name
}

// MockOperation lists the answers of one operation; the first that fits is given.
type MockOperation struct {
	Name    string
	Answers []MockAnswer
}

// MockAnswer is one answer, given when Match fits the arguments: Output or Error.
type MockAnswer struct {
	Match  MockMatch
	Output canon.Value
	Error  *MockFault // Class is one of MockClasses
}

// MockClasses are the error classes a mock tool can be scripted to fail with.
var MockClasses = []string{"bad_input", "denied", "failed", "not_sent", "unknown"}

// mockStops maps spellings of a stop reason to the one the model seam uses.
var mockStops = []struct{ written, stop string }{
	{"end", "end"}, {"tools", "tools"}, {"length", "length"}, {"max_tokens", "length"},
	{"filter", "filter"}, {"content_filter", "filter"},
}

// Fits reports whether the document meets every part of m.
func (m MockMatch) Fits(document canon.Value) bool {
	for _, f := range m.Fields {
		if !canon.Equal(mockAt(document, f.Path), f.Value) {
			return false
		}
	}
	return m.Contains == "" || strings.Contains(document.JSON(), m.Contains) || mockHolds(document, m.Contains)
}

// Conversation returns the first conversation that fits the agent's input document.
func (s MockScript) Conversation(input canon.Value) (MockConversation, bool) {
	for _, c := range s.Conversations {
		if c.Match.Fits(input) {
			return c, true
		}
	}
	return MockConversation{}, false
}

// Answer returns the first answer of the operation that fits the arguments.
func (s MockToolScript) Answer(operation string, arguments canon.Value) (MockAnswer, bool) {
	for _, o := range s.Operations {
		if o.Name != operation {
			continue
		}
		for _, a := range o.Answers {
			if a.Match.Fits(arguments) {
				return a, true
			}
		}
	}
	return MockAnswer{}, false
}

func mockAt(v canon.Value, path string) canon.Value {
	for name := range strings.SplitSeq(path, ".") {
		if v.Kind() == canon.KindList {
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v.Items()) {
				return canon.Null()
			}
			v = v.Items()[i]
			continue
		}
		v = v.At(name)
	}
	return v
}

func mockHolds(v canon.Value, text string) bool {
	if s, ok := v.AsString(); ok {
		return strings.Contains(s, text)
	}
	for _, f := range v.Fields() {
		if mockHolds(f.Value, text) {
			return true
		}
	}
	return slices.ContainsFunc(v.Items(), func(i canon.Value) bool { return mockHolds(i, text) })
}

// ParseMockScript reads the script of a mock model. Errors name the path inside
// of the script; unknown keys are errors.
func ParseMockScript(v canon.Value) (MockScript, error) {
	if err := mockKeys("", v, "conversations", "turns"); err != nil {
		return MockScript{}, err
	}
	list, several := v.Get("conversations")
	turns, single := v.Get("turns")
	if several == single {
		return MockScript{}, fmt.Errorf("a mock script has either conversations or turns")
	}
	if single {
		parsed, err := mockList("turns", turns, mockTurn)
		return MockScript{Conversations: []MockConversation{{Turns: parsed}}}, err
	}
	parsed, err := mockList("conversations", list, mockConversation)
	return MockScript{Conversations: parsed}, err
}

// ParseMockToolScript reads the script of a tool of type mock, under the same
// rules as ParseMockScript.
func ParseMockToolScript(v canon.Value) (MockToolScript, error) {
	if err := mockKeys("", v, "operations"); err != nil {
		return MockToolScript{}, err
	}
	operations := v.At("operations")
	if operations.Kind() != canon.KindObject {
		return MockToolScript{}, fmt.Errorf("operations must be an object of operation names, not %s", operations.Kind())
	}
	var out MockToolScript
	for _, f := range operations.Fields() {
		answers, err := mockList("operations."+f.Name, f.Value, mockAnswer)
		if err != nil {
			return MockToolScript{}, err
		}
		out.Operations = append(out.Operations, MockOperation{Name: f.Name, Answers: answers})
	}
	return out, nil
}

func mockConversation(path string, v canon.Value) (MockConversation, error) {
	if err := mockKeys(path, v, "match", "contains", "turns"); err != nil {
		return MockConversation{}, err
	}
	match, err := mockMatch(path, v)
	if err != nil {
		return MockConversation{}, err
	}
	turns, err := mockList(path+".turns", v.At("turns"), mockTurn)
	return MockConversation{Match: match, Turns: turns}, err
}

// mockMatch reads the members match and contains of v. A text member contains
// inside of match means the same as beside it.
func mockMatch(path string, v canon.Value) (MockMatch, error) {
	var out MockMatch
	match, ok := v.Get("match")
	if ok && match.Kind() != canon.KindObject {
		return out, fmt.Errorf("%s.match must be an object of dotted paths, not %s", path, match.Kind())
	}
	for _, f := range match.Fields() {
		if text, isText := f.Value.AsString(); isText && f.Name == "contains" {
			out.Contains = text
			continue
		}
		out.Fields = append(out.Fields, MockField{Path: f.Name, Value: f.Value})
	}
	if beside, ok := v.Get("contains"); ok {
		text, isText := beside.AsString()
		if !isText || out.Contains != "" {
			return out, fmt.Errorf("%s.contains must be one string", path)
		}
		out.Contains = text
	}
	return out, nil
}

func mockTurn(path string, v canon.Value) (MockTurn, error) {
	if err := mockKeys(path, v, "calls", "output", "text", "usage", "costUsd", "stop", "error"); err != nil {
		return MockTurn{}, err
	}
	var t MockTurn
	for _, f := range v.Fields() {
		if err := t.set(path+"."+f.Name, f.Name, f.Value); err != nil {
			return MockTurn{}, err
		}
	}
	said := len(t.Calls) > 0 || t.Output != nil || t.HasText
	switch {
	case t.Output != nil && t.HasText:
		return MockTurn{}, fmt.Errorf("%s has both output and text", path)
	case t.Error != nil && said:
		return MockTurn{}, fmt.Errorf("%s has an error beside an answer", path)
	case t.Error == nil && !said:
		return MockTurn{}, fmt.Errorf("%s needs calls, output, text or error", path)
	}
	return t, nil
}

func (t *MockTurn) set(path, name string, v canon.Value) (err error) {
	switch name {
	case "calls":
		t.Calls, err = mockList(path, v, mockCall)
	case "output":
		if v.Kind() != canon.KindObject {
			return fmt.Errorf("%s must be an object, not %s; write other answers as text", path, v.Kind())
		}
		t.Output = &v
	case "text":
		t.Text, err = mockString(path, v)
		t.HasText = true
	case "usage":
		if err := mockKeys(path, v, "input", "output"); err != nil {
			return err
		}
		if t.Input, err = mockCount(path+".input", v.At("input")); err == nil {
			t.Tokens, err = mockCount(path+".output", v.At("output"))
		}
	case "costUsd":
		t.CostUSD, err = mockDecimal(path, v)
	case "stop":
		t.Stop, err = mockStop(path, v)
	case "error":
		if err := mockKeys(path, v, "status", "message"); err != nil {
			return err
		}
		t.Error, err = mockFault(path, v)
	}
	return err
}

func mockCall(path string, v canon.Value) (MockCall, error) {
	if err := mockKeys(path, v, "tool", "arguments"); err != nil {
		return MockCall{}, err
	}
	tool, err := mockString(path+".tool", v.At("tool"))
	if err != nil {
		return MockCall{}, err
	}
	arguments, ok := v.Get("arguments")
	if !ok {
		arguments = canon.Object()
	}
	return MockCall{Tool: tool, Arguments: arguments}, nil
}

func mockAnswer(path string, v canon.Value) (MockAnswer, error) {
	if err := mockKeys(path, v, "match", "contains", "output", "error"); err != nil {
		return MockAnswer{}, err
	}
	match, err := mockMatch(path, v)
	if err != nil {
		return MockAnswer{}, err
	}
	output, hasOutput := v.Get("output")
	fault, hasFault := v.Get("error")
	if hasOutput == hasFault {
		return MockAnswer{}, fmt.Errorf("%s needs either output or error", path)
	}
	if hasOutput {
		return MockAnswer{Match: match, Output: output}, nil
	}
	if err := mockKeys(path+".error", fault, "class", "message"); err != nil {
		return MockAnswer{}, err
	}
	parsed, err := mockFault(path+".error", fault)
	if err == nil && !slices.Contains(MockClasses, parsed.Class) {
		err = fmt.Errorf("%s.error.class must be one of %s", path, strings.Join(MockClasses, ", "))
	}
	return MockAnswer{Match: match, Error: parsed}, err
}

func mockFault(path string, v canon.Value) (*MockFault, error) {
	status, err := mockCount(path+".status", v.At("status"))
	if err != nil {
		return nil, err
	}
	if status != 0 && (status < 400 || status > 599) {
		return nil, fmt.Errorf("%s.status must be an HTTP error status from 400 to 599", path)
	}
	return &MockFault{Status: status, Class: v.Str("class"), Message: v.Str("message")}, nil
}

// mockKeys refuses what is no object and keys outside of allowed.
func mockKeys(path string, v canon.Value, allowed ...string) error {
	if v.Kind() != canon.KindObject {
		if path == "" {
			path = "a mock script"
		}
		return fmt.Errorf("%s must be an object, not %s", path, v.Kind())
	}
	for _, f := range v.Fields() {
		if !slices.Contains(allowed, f.Name) {
			at := strings.TrimPrefix(path+"."+f.Name, ".")
			return fmt.Errorf("%s is not a known key; known are %s", at, strings.Join(allowed, ", "))
		}
	}
	return nil
}

func mockList[T any](path string, v canon.Value, item func(string, canon.Value) (T, error)) ([]T, error) {
	if v.Kind() != canon.KindList || len(v.Items()) == 0 {
		return nil, fmt.Errorf("%s must be an array with at least one entry", path)
	}
	var out []T
	for i, e := range v.Items() {
		parsed, err := item(fmt.Sprintf("%s[%d]", path, i), e)
		if err != nil {
			return nil, err
		}
		out = append(out, parsed)
	}
	return out, nil
}

func mockString(path string, v canon.Value) (string, error) {
	s, ok := v.AsString()
	if !ok {
		return "", fmt.Errorf("%s must be a string, not %s", path, v.Kind())
	}
	return s, nil
}

// mockCount reads a whole number of at least 0; absent is 0.
func mockCount(path string, v canon.Value) (int64, error) {
	n, ok := v.AsInt()
	if v.IsNull() || (ok && n >= 0) {
		return n, nil
	}
	return 0, fmt.Errorf("%s must be a whole number of at least 0", path)
}

func mockDecimal(path string, v canon.Value) (string, error) {
	text, ok := v.AsString()
	if !ok {
		text, _ = v.NumberText()
	}
	whole, frac, dotted := strings.Cut(text, ".")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	if !digits(whole) || (dotted && !digits(frac)) {
		return "", fmt.Errorf("%s must be a decimal amount such as \"0.01\"", path)
	}
	return text, nil
}

func mockStop(path string, v canon.Value) (string, error) {
	written, err := mockString(path, v)
	if err != nil {
		return "", err
	}
	for _, s := range mockStops {
		if s.written == written {
			return s.stop, nil
		}
	}
	return "", fmt.Errorf("%s %q is no stop reason; write end, tools, max_tokens or content_filter", path, written)
}

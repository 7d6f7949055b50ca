package model

import (
	"fmt"
	"strings"
)

// unanswered is what a model reads for a call nobody answered.
const unanswered = "the call was not executed"

// maxShownIDs bounds the unanswered ids in a structure text.
const maxShownIDs = 10

// Repair returns the conversation as providers demand it: each assistant message
// with calls is followed by one tool message that answers every call once, in
// call order. Missing answers become error results, answers of consecutive tool
// messages are merged, answers to nothing are dropped. The first answer of a
// call counts.
func Repair(messages []Message) []Message {
	out := make([]Message, 0, len(messages))
	for i := 0; i < len(messages); i++ {
		m := messages[i]
		if m.Role == Tool {
			continue // answers nothing: those that do are consumed below
		}
		out = append(out, m)
		if m.Role != Assistant || len(m.Calls) == 0 {
			continue
		}
		var given []Result
		for i+1 < len(messages) && messages[i+1].Role == Tool {
			i++
			given = append(given, messages[i].Results...)
		}
		out = append(out, Message{Role: Tool, Results: answers(m.Calls, given)})
	}
	return out
}

func answers(calls []Call, given []Result) []Result {
	out := make([]Result, 0, len(calls))
	for _, c := range calls {
		r := Result{CallID: c.ID, Text: unanswered, IsError: true}
		for _, g := range given {
			if g.CallID == c.ID {
				r = g
				break
			}
		}
		out = append(out, r)
	}
	return out
}

// Structure describes the shape of a request for error messages: how many
// messages, calls, results and tools there are and which call ids lack an
// answer. It never holds content.
func Structure(r Request) string {
	var user, assistant, tool, calls, results, failed int
	var open []string
	for _, m := range r.Messages {
		switch m.Role {
		case User:
			user++
		case Assistant:
			assistant++
			calls += len(m.Calls)
			for _, c := range m.Calls {
				open = append(open, c.ID)
			}
		case Tool:
			tool++
			results += len(m.Results)
			for _, res := range m.Results {
				open = without(open, res.CallID)
				if res.IsError {
					failed++
				}
			}
		}
	}
	text := fmt.Sprintf("%d messages: user %d, assistant %d, tool %d; blocks: text %d, tool call %d, tool result %d of them errors %d; tools %d",
		len(r.Messages), user, assistant, tool, texts(r.Messages), calls, results, failed, len(r.Offered()))
	if len(open) > 0 {
		text += "; unanswered calls: " + shownIDs(open)
	}
	return text
}

func texts(messages []Message) (n int) {
	for _, m := range messages {
		if m.Text != "" {
			n++
		}
	}
	return n
}

func without(ids []string, id string) []string {
	for i, s := range ids {
		if s == id {
			return append(ids[:i:i], ids[i+1:]...)
		}
	}
	return ids
}

func shownIDs(ids []string) string {
	more := ""
	if len(ids) > maxShownIDs {
		more = fmt.Sprintf(" and %d more", len(ids)-maxShownIDs)
		ids = ids[:maxShownIDs]
	}
	shown := make([]string, len(ids))
	for i, id := range ids {
		shown[i] = Token(id)
	}
	return strings.Join(shown, ", ") + more
}

// Token returns s where it is a short identifier, else "?": ids and codes come
// from outside and may carry anything.
func Token(s string) string {
	if s == "" || len(s) > 128 {
		return "?"
	}
	for _, c := range []byte(s) {
		ok := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_-.:[]", c) >= 0
		if !ok {
			return "?"
		}
	}
	return s
}

// ValidName reports whether s can be shown to a model as a tool name: letters,
// digits, _ and -, at most 128.
func ValidName(s string) bool {
	return Token(s) == s && s != "?" && !strings.ContainsAny(s, ".:[]")
}

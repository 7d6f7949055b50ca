package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"terfyn/internal/canon"
)

// fork is what a value that fits no branch of a choice says about which one is meant.
type fork uint8

const (
	// unclear: nothing in the value tells.
	unclear fork = iota
	// unnamed: the value has to name its branch and does not; its discriminator is
	// reported where it stands.
	unnamed
	// ofKind: the value names its branch.
	ofKind
	// ofType: one branch alone is for values of this type.
	ofType
)

// discriminator is the member by which objects name a branch.
const discriminator = "kind"

// meant is which of the causes of a choice, if any, is the branch that value means.
func (f *finder) meant(choice *jsonschema.ValidationError, value canon.Value) (fork, *jsonschema.ValidationError) {
	r := f.rule(choice.AbsoluteKeywordLocation)
	branches := r.value.Items()
	if named, ok := f.named(branches); ok {
		word, _ := value.Get(discriminator)
		text, _ := word.AsString()
		for i, words := range named {
			if text != "" && slices.Contains(words, text) {
				return ofKind, branchCause(choice, i)
			}
		}
		return unnamed, nil
	}
	only := -1
	for i, b := range branches {
		if !f.takes(b, choice.AbsoluteKeywordLocation, value) {
			continue
		}
		if only >= 0 {
			return unclear, nil
		}
		only = i
	}
	if only < 0 {
		return unclear, nil
	}
	return ofType, branchCause(choice, only)
}

// named is the words that name each branch; ok when all of them are named.
func (f *finder) named(branches []canon.Value) (out [][]string, ok bool) {
	for _, b := range branches {
		rule := b.At("properties").At(discriminator)
		list := rule.At("enum").Items()
		if one, isConst := rule.Get("const"); isConst {
			list = []canon.Value{one}
		}
		if len(list) == 0 {
			return nil, false
		}
		out = append(out, words(list...))
	}
	return out, true
}

// takes reports whether a branch is for values of this type.
func (f *finder) takes(branch canon.Value, location string, value canon.Value) bool {
	address, _, _ := strings.Cut(location, "#")
	for range maxHops {
		to := branch.Str("$ref")
		if to == "" {
			break
		}
		name, fragment, _ := strings.Cut(to, "#")
		if name != "" {
			address = base + name
		}
		branch = follow(f.documents[address], segments(fragment))
	}
	switch branch.Str("type") {
	case "string":
		return value.Kind() == canon.KindString
	case "object":
		return value.Kind() == canon.KindObject
	case "array":
		return value.Kind() == canon.KindList
	}
	return false
}

// maxHops bounds the references between a choice and the type of a branch.
const maxHops = 8

// branchCause is the fault of the branch of this number.
func branchCause(choice *jsonschema.ValidationError, number int) *jsonschema.ValidationError {
	at := choice.KeywordLocation + "/" + strconv.Itoa(number)
	for _, c := range choice.Causes {
		if c.KeywordLocation == at || strings.HasPrefix(c.KeywordLocation, at+"/") {
			return c
		}
	}
	return nil
}

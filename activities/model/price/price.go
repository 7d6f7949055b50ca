// Package price owns the price table of models: exact decimal prices per million
// tokens, looked up by provider/model name. It leaves out budgets (policy) and
// counting tokens (the providers).
package price

import (
	_ "embed"
	"fmt"
	"maps"
	"math/big"
	"os"
	"strings"

	"terfyn/activities/model"
	"terfyn/internal/canon"
)

//go:embed defaults.json
var defaults []byte

// perTokens is the number of tokens a price stands for.
const perTokens = 1_000_000

// Table holds prices by model name. A nil or zero Table knows no model.
type Table struct {
	prices map[string]rate
}

type rate struct{ input, output *big.Rat }

// Default returns the built-in table. Vendors change prices: Load overrides it.
func Default() Table {
	t, err := Parse(defaults)
	if err != nil {
		panic("price: the built-in table does not parse: " + err.Error())
	}
	return t
}

// Load returns the built-in table with the entries of the JSON file at path laid
// over it. An empty path gives the built-in table.
func Load(path string) (Table, error) {
	t := Default()
	if path == "" {
		return t, nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return Table{}, fmt.Errorf("reading the price table: %w", err)
	}
	over, err := Parse(b)
	if err != nil {
		return Table{}, fmt.Errorf("price table %s: %w", path, err)
	}
	maps.Copy(t.prices, over.prices)
	return t, nil
}

// Parse reads a table: {"provider/model": {"input": "2.50", "output": "10"}},
// US dollars per million tokens, as decimal strings or numbers.
func Parse(b []byte) (Table, error) {
	v, err := canon.Parse(b)
	if err != nil {
		return Table{}, err
	}
	if v.Kind() != canon.KindObject {
		return Table{}, fmt.Errorf("a price table is an object of models, not %s", v.Kind())
	}
	t := Table{prices: map[string]rate{}}
	for _, f := range v.Fields() {
		for _, m := range f.Value.Fields() {
			if m.Name != "input" && m.Name != "output" {
				return Table{}, fmt.Errorf("%s.%s is not a known key; known are input, output", f.Name, m.Name)
			}
		}
		in, err := amount(f.Name+".input", f.Value.At("input"))
		if err != nil {
			return Table{}, err
		}
		out, err := amount(f.Name+".output", f.Value.At("output"))
		if err != nil {
			return Table{}, err
		}
		t.prices[f.Name] = rate{input: in, output: out}
	}
	return t, nil
}

func amount(path string, v canon.Value) (*big.Rat, error) {
	text, ok := v.AsString()
	if !ok {
		text, _ = v.NumberText()
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok || r.Sign() < 0 || strings.ContainsAny(text, "/eEpPxX_") {
		return nil, fmt.Errorf("%s must be a decimal price of at least 0", path)
	}
	return r, nil
}

// Cost returns what the tokens cost in US dollars as an exact decimal. A model
// the table does not know costs "0" and gives a warning of class price_unknown.
func (t Table) Cost(name string, u model.Usage) (usd string, warnings []model.Warning) {
	r, ok := t.find(name)
	if !ok {
		return "0", []model.Warning{{
			Class: "price_unknown", Reason: "model_not_in_price_table",
			Message: fmt.Sprintf("The price table has no entry for the model %s; its cost is counted as 0.", name),
		}}
	}
	sum := new(big.Rat).Mul(r.input, new(big.Rat).SetInt64(u.Input))
	sum.Add(sum, new(big.Rat).Mul(r.output, new(big.Rat).SetInt64(u.Output)))
	return decimal(sum.Quo(sum, new(big.Rat).SetInt64(perTokens))), nil
}

// find takes the longest entry that is name itself or name without a version
// suffix (-2024-08-06, -latest, -preview…). A price of another variant of the
// family (-mini, -pro) is never taken: unknown is better than wrong.
func (t Table) find(name string) (rate, bool) {
	for n := len(name); n > 0; n-- {
		r, ok := t.prices[name[:n]]
		if ok && versionSuffix(name[n:]) {
			return r, true
		}
	}
	return rate{}, false
}

func versionSuffix(rest string) bool {
	if rest == "" {
		return true
	}
	word, ok := strings.CutPrefix(rest, "-")
	if !ok || word == "" {
		return false
	}
	for part := range strings.SplitSeq(word, "-") {
		digits := part != "" && strings.Trim(part, "0123456789") == ""
		if !digits && part != "latest" && part != "preview" && part != "exp" {
			return false
		}
	}
	return true
}

// decimal writes r, which has a finite decimal form, without needless zeros.
func decimal(r *big.Rat) string {
	digits, _ := r.FloatPrec()
	return r.FloatString(digits)
}

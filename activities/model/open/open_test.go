package open_test

import (
	"errors"
	"strings"
	"testing"

	"terfyn/activities/model"
	"terfyn/activities/model/modeltest"
	"terfyn/activities/model/open"
	"terfyn/activities/model/price"
	"terfyn/compiler/resource"
)

func TestAliasWinsAndIsPricedByItsOwnName(t *testing.T) {
	server := modeltest.NewServer(func(modeltest.Request) modeltest.Turn { return modeltest.Turn{Text: "hi", Input: 1000, Output: 10} })
	defer server.Close()
	t.Setenv("OPENAI_API_KEY", "vendor-key")
	t.Setenv("LAB_KEY", "lab-key")
	declared := []resource.Provider{{Name: "openai", Type: "openai", BaseURL: server.URL, APIKeyFrom: "env:LAB_KEY"}, {Name: "lab", Type: "openai", BaseURL: server.URL + "/", APIKeyFrom: "env:LAB_KEY"}}
	table, err := price.Parse([]byte(`{"lab/m":{"input":"1","output":"1"}}`))
	if err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]struct {
		cost     string
		warnings int
	}{"openai/gpt-4o": {"0", 1}, "lab/m": {"0.00101", 0}} {
		p, id, err := open.Model(ref, declared, table)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Generate(t.Context(), model.Request{Model: id, MaxTokens: 5, Messages: []model.Message{{Role: model.User, Text: "go"}}})
		if err != nil || got.CostUSD != want.cost || len(got.Warnings) != want.warnings {
			t.Errorf("%s: %+v, %v", ref, got, err)
		}
	}
	for _, r := range server.Requests() {
		if r.Header.Get("Authorization") != "Bearer lab-key" || r.JSON.At("max_tokens").JSON() != "5" {
			t.Errorf("request %s with %s", r.Body, r.Header.Get("Authorization"))
		}
	}
}

func TestVendorKeyStaysWithTheVendor(t *testing.T) {
	server := modeltest.NewServer(modeltest.InOrder(modeltest.Turn{Text: "hi"}))
	defer server.Close()
	t.Setenv("OPENAI_API_KEY", "vendor-key")
	p, id, err := open.Model("lab/m", []resource.Provider{{Name: "lab", Type: "openai", BaseURL: server.URL}}, price.Default())
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Generate(t.Context(), model.Request{Model: id, Messages: []model.Message{{Role: model.User, Text: "go"}}})
	if e, ok := errors.AsType[*model.Error](err); !ok || e.Status != 401 || server.Requests()[0].Header.Get("Authorization") != "" {
		t.Errorf("a foreign base URL got the header %q (%v)", server.Requests()[0].Header.Get("Authorization"), err)
	}
}

func TestReferences(t *testing.T) {
	t.Parallel()
	declared := []resource.Provider{{Name: "odd", Type: "telepathy"}, {Name: "bad", Type: "openai", BaseURL: "ftp://h"}, {Name: "play", Type: "mock"}}
	for ref, want := range map[string]string{
		"acme/x": `unknown provider namespace "acme"`, "gpt-4": "namespace/model_id", "/x": "namespace/model_id", "openai/": "namespace/model_id",
		"odd/x": `"telepathy"`, "bad/x": "baseUrl",
		"mock/default": "", "play/x": "", "openai/gpt-4o": "", "gemini/a": "", "grok/a": "", "kimi/a": "",
	} {
		p, id, err := open.Model(ref, declared, price.Table{})
		if want == "" {
			if err != nil || p == nil || ref[strings.Index(ref, "/")+1:] != id {
				t.Errorf("%s: %v %q %v", ref, p, id, err)
			}
			continue
		}
		e, ok := errors.AsType[*model.Error](err)
		if !ok || e.Class != model.Config || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", ref, err, want)
		}
	}
}

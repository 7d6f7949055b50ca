package resource

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOverlay(t *testing.T) {
	t.Parallel()
	g, err := Overlay(sample(), "prod")
	if err != nil {
		t.Fatal(err)
	}
	fixer, _ := g.Agent("Fixer")
	want := Constraints{TimeoutSeconds: 240, Temperature: "0", RequireStructuredOutput: flag(false)}
	if diff := cmp.Diff(want, fixer.Constraints); diff != "" || fixer.Model != "lab/big-1" {
		t.Errorf("model %q, constraints (-want +got):\n%s", fixer.Model, diff)
	}
	house, _ := g.Policy("house")
	if house.Execution.MaxTotalCostUSD != "1" {
		t.Errorf("cost ceiling %q", house.Execution.MaxTotalCostUSD)
	}
	if diff := cmp.Diff([]string{"tool.checkout.edit", "tool.open.get", "tool.tracker.issue.close"}, house.Approvals.RequiredFor); diff != "" {
		t.Errorf("requiredFor is no union (-want +got):\n%s", diff)
	}
	open, _ := g.Tool("open")
	if diff := cmp.Diff(&HTTP{BaseURL: "https://prod.example", Headers: []Header{{"X-B", "env:B"}, {"x-a", "env:PROD_A"}}}, open.HTTP); diff != "" {
		t.Errorf("endpoint (-want +got):\n%s", diff)
	}
	if len(g.Environments) != 1 || g.Environments[0].Name != "prod" {
		t.Errorf("environments: %+v", g.Environments)
	}
	again := g
	again.Environments = sample().Environments
	if g2, err := Overlay(again, "prod"); err != nil || cmp.Diff(g, g2) != "" {
		t.Errorf("overlaying twice differs: %v", err)
	}
}

func TestOverlayWithoutEnvironment(t *testing.T) {
	t.Parallel()
	g, err := Overlay(sample(), "")
	want := Normalize(sample())
	want.Environments = nil
	if diff := cmp.Diff(want, g); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestOverlayRefuses(t *testing.T) {
	t.Parallel()
	_, err := Overlay(sample(), "staging")
	if !errors.Is(err, ErrUnknownEnvironment) || !strings.Contains(err.Error(), `"staging"`) || !strings.Contains(err.Error(), "dev, prod") {
		t.Errorf("unknown environment: %v", err)
	}
	if _, err := Overlay(Graph{}, "prod"); !errors.Is(err, ErrUnknownEnvironment) {
		t.Errorf("project without environments: %v", err)
	}
	for name, e := range map[string]Environment{
		"agent":  {Name: "x", Agents: map[string]AgentOverride{"none": {}}},
		"policy": {Name: "x", Policies: map[string]Policy{"none": {}}},
		"tool":   {Name: "x", Tools: map[string]ToolOverride{"none": {}}},
	} {
		g := sample()
		g.Environments = append(g.Environments, e)
		if _, err := Overlay(g, "x"); err == nil || !strings.Contains(err.Error(), name+` "none"`) {
			t.Errorf("missing %s: %v", name, err)
		}
	}
}

func TestOverlayTransports(t *testing.T) {
	t.Parallel()
	local := &MCP{Transport: "stdio", Command: "srv", Args: []string{"-a"}}
	got := overlayMCP(&MCP{Transport: "http", URL: "https://mcp.example"}, local)
	if diff := cmp.Diff(&MCP{Transport: "http", URL: "https://mcp.example"}, got); diff != "" {
		t.Errorf("to remote (-want +got):\n%s", diff)
	}
	got = overlayMCP(&MCP{Args: []string{"-b"}}, local)
	if diff := cmp.Diff(&MCP{Transport: "stdio", Command: "srv", Args: []string{"-b"}}, got); diff != "" {
		t.Errorf("arguments only (-want +got):\n%s", diff)
	}
	got = overlayMCP(&MCP{Transport: "stdio", Command: "srv"}, &MCP{Transport: "http", URL: "https://mcp.example", Headers: []Header{{"A", "env:A"}}})
	if diff := cmp.Diff(&MCP{Transport: "stdio", Command: "srv"}, got); diff != "" {
		t.Errorf("to local (-want +got):\n%s", diff)
	}
	queue := overlayTemporal(&Temporal{TaskQueue: "prod"}, &Temporal{TaskQueue: "dev", Kind: "activity"})
	if diff := cmp.Diff(&Temporal{TaskQueue: "prod", Kind: "activity"}, queue); diff != "" {
		t.Errorf("temporal (-want +got):\n%s", diff)
	}
}

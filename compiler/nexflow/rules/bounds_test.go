package rules_test

import (
	"strings"
	"testing"

	"terfyn/compiler/nexflow/code"
	"terfyn/compiler/nexflow/manifest"
	"terfyn/compiler/nexflow/rules"
	"terfyn/compiler/nexflow/settest"
)

// TestNothingIsSilentAtTheBounds: with less effort than a set takes, every finding
// is still there or one that stands for it, and what stands for others says so.
func TestNothingIsSilentAtTheBounds(t *testing.T) {
	t.Parallel()
	standing := 0
	for seed := range uint64(150) {
		x := randomSet(t, seed).Index()
		full := rules.Check(x)
		for _, bound := range []int{0, 3, 30} {
			found, _ := rules.CheckWithin(x, bound, bound)
			here := map[manifest.Place]bool{}
			order := false
			for _, r := range found {
				here[manifest.Place{File: string(r.Code), Path: r.Path}] = true
				unsure := strings.HasSuffix(r.Message, "since there is more to compare than is compared here.")
				order = order || unsure && r.Code == code.GraphOrderMismatch
				if unsure {
					standing++
				}
			}
			for _, r := range full {
				if !here[manifest.Place{File: string(r.Code), Path: r.Path}] && (r.Code != code.GraphOrderMismatch || !order) {
					t.Fatalf("seed %d, bound %d: %s at %s is not found", seed, bound, r.Code, r.Path)
				}
			}
		}
	}
	if standing < 500 {
		t.Errorf("only %d findings stand for what was not compared", standing)
	}
}

// TestStricterAnswers has the wording of each finding that stands for what was not
// compared.
func TestStricterAnswers(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, message string
		code          code.Code
		set           settest.Files
	}{
		{"approval", "Permission r0 may allow something that another permission makes subject to approval, since there is more to compare than is compared here.",
			code.PolicyShadowedByGate, wide(t, 1, 3)},
		{"risk", "Permission r0 may let someone who is no human use capability c1, which is risky or meant to be approved, without approval, since there is more to compare than is compared here.",
			code.SafetyUngatedRisk, shut(t, 2)},
		{"task", "Task t may need capability c0 without anyone on it who has permission, since there is more to compare than is compared here.",
			code.PolicyTaskCapabilityUnauthorized, powerless(t, 2, 2, false)},
		{"gate", "Task t may need capability c0 without naming the gate that its owner p0 needs, since there is more to compare than is compared here.",
			code.PolicyTaskGateMissing, powerless(t, 1, 1, false).Put(t, "permissions.yaml", "/permissions/-",
				`{"id": "r", "subjects": ["p0"], "capabilities": ["c0"], "effect": "approval_required", "approvalGate": "g"}`)},
		{"order", "Step s2 and later ones may begin too early, since there is more to compare than is compared here.", code.GraphOrderMismatch, errands(t, 2)},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			found, _ := rules.CheckWithin(row.set.Index(), 0, 1)
			var got []string
			for _, r := range found {
				if r.Code == row.code {
					got = append(got, string(r.Severity)+" "+r.Message)
				}
			}
			if len(got) == 0 || !strings.Contains(strings.Join(got, "\n"), "warning "+row.message) || row.code == code.GraphOrderMismatch && len(got) > 1 {
				t.Errorf("found %q, want %q", got, row.message)
			}
		})
	}
}

// TestCutPlacesAreSaid: a finding names at most so many places and says when there
// are others.
func TestCutPlacesAreSaid(t *testing.T) {
	t.Parallel()
	const most = 200
	for _, n := range []int{most, most + 1} {
		for _, row := range []struct {
			code code.Code
			set  settest.Files
		}{{code.PolicyShadowedByGate, opposed(t, n, "approval_required")}, {code.PolicyShadowedByDeny, opposed(t, n, "deny")}, {code.GateSelfApproval, selfMade(t, 1, n)}} {
			checkCut(t, row.set, row.code, n > most)
		}
	}
}

func checkCut(t *testing.T, set settest.Files, what code.Code, cut bool) {
	t.Helper()
	seen := false
	for _, r := range rules.Check(set.Index()) {
		if r.Code != what {
			continue
		}
		seen = true
		if said := strings.Contains(r.Message, "and others"); said != cut || len(r.Related) != 200 {
			t.Errorf("%d places, others %v: %s", len(r.Related), cut, r.Message)
		}
	}
	if !seen {
		t.Errorf("no %s", what)
	}
}

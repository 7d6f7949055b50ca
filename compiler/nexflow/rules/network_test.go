package rules_test

import "testing"

func TestNetworkPolicy(t *testing.T) {
	t.Parallel()
	const policy, rule = "project /project/policies/networkAccess", "project /project/policies/networkAccess/rules/0"
	relaxed := func(field string) string {
		return "W TERFYN-SAFETY-NETWORK-RELAXED " + policy + "/transport/" + field
	}
	checkChanges(t, []change{
		{name: "text", script: policy + ` := "Ask first."`, want: []string{"I TERFYN-COMPAT-ADVISORY-NETWORK " + policy}},
		{name: "no policy", script: policy + ` delete`},
		{name: "http under TLS", script: rule + `/destinations/schemes := ["https", "http"]`,
			want: []string{"E TERFYN-NETWORK-SCHEME-CONFLICT " + rule + "/destinations/schemes"}},
		{name: "http without TLS", script: rule + `/destinations/schemes := ["http"]
			` + policy + `/transport/requireTls := false`, want: []string{relaxed("requireTls")}},
		{name: "everything relaxed", script: policy + `/transport := {"requireTls": false, "allowPrivateNetworks": true, "allowLoopback": true, "followRedirects": true, "maxRedirects": 3}`,
			want: []string{relaxed("allowLoopback"), relaxed("allowPrivateNetworks"), relaxed("followRedirects"), relaxed("requireTls")}},
		{name: "redirects without a number", script: policy + `/transport/followRedirects := true`,
			want: []string{relaxed("followRedirects"), "W TERFYN-NETWORK-REDIRECT-CONFLICT " + policy + "/transport/maxRedirects"}},
		{name: "number without redirects", script: policy + `/transport/maxRedirects := 2`,
			want: []string{"W TERFYN-NETWORK-REDIRECT-CONFLICT " + policy + "/transport/maxRedirects"}},
		{name: "actor without permission", script: rule + `/actors := ["clerk", "librarian", "ghost"]`,
			want: []string{"W TERFYN-NETWORK-ACTOR-UNAUTHORIZED " + rule + "/actors/1"}},
		{name: "actor who is denied", script: `permissions /permissions/0/effect := "deny"`,
			want: []string{"W TERFYN-NETWORK-ACTOR-UNAUTHORIZED " + rule + "/actors/0"}},
		{name: "actor with allowance", script: `permissions /permissions/0/effect := "allow"`},
		{name: "denying rules ask for nothing", script: rule + `/effect := "deny"
			` + rule + `/actors := ["librarian"]`},
		{name: "class below the source", script: rule + `/maxDataClassification := "public"
			` + rule + `/destinations/contextSources := ["ghost", "news", "shelves"]`,
			want: []string{"W TERFYN-NETWORK-CLASSIFICATION " + rule + "/destinations/contextSources/2"}},
		{name: "no class", script: rule + `/maxDataClassification delete`},
	})
}

package resource_test

import (
	"testing"

	"terfyn/compiler/resource"
)

func TestSecretName(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]bool{
		"token": true, "ACCESS_TOKEN": true, "userPassword": true, "Authorization": true, "private_key": true, "clientSecret": true,
		"": false, "text": false, "key": false, "pass": false,
	} {
		if got := resource.SecretName(key); got != want {
			t.Errorf("SecretName(%q) = %v", key, got)
		}
	}
	if !resource.SecretReference("env:KEY") || !resource.SecretReference("file:/run/key") || resource.SecretReference("ENV:KEY") {
		t.Error("references are told apart wrongly")
	}
}

func TestUserInfo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://ann:pw@host/x": "ann:pw", "http://a@b@host": "a@b", "https://host/x@y": "", "ann@host": "", "https://host?q=a@b": "",
	} {
		got := ""
		if start, end, ok := resource.UserInfo(text); ok {
			got = text[start:end]
		}
		if got != want {
			t.Errorf("UserInfo(%q) = %q, want %q", text, got, want)
		}
	}
}

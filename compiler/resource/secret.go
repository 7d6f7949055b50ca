package resource

import "terfyn/internal/conceal"

// SecretName reports whether a text under this key is taken for a secret.
func SecretName(key string) bool { return conceal.Name(key) }

// SecretReference reports whether a text only names where a secret is kept.
func SecretReference(text string) bool { return conceal.Reference(text) }

// UserInfo gives the place of user:password in an address with its host, from
// start up to the @ at end; ok is false where there is none.
func UserInfo(text string) (start, end int, ok bool) {
	at, ok := conceal.UserInfo(text)
	return at.Start, at.End, ok
}

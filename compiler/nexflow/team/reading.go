package team

import "terfyn/compiler/nexflow/manifest"

// Refusal is why a participant may not read a context source.
type Refusal string

// The refusals. The empty Refusal is that there is none.
const (
	NotRefused      Refusal = ""
	DefaultIsNone   Refusal = "default-none"
	ActorIsDenied   Refusal = "denied-actor"
	ActorNotAllowed Refusal = "not-allowed-actor"
)

// Readers is who may read a context source.
type Readers struct {
	none            bool
	listed          bool
	allowed, denied map[string]bool
}

// ReadersOf is who may read a context source. It is made once for many questions:
// a list may have very many entries.
func ReadersOf(source manifest.Node) Readers {
	access := source.Get("access")
	return Readers{
		none: access.Get("default").Is("none"), listed: access.Get("allowedActors").Exists(),
		allowed: access.Get("allowedActors").TextSet(), denied: access.Get("deniedActors").TextSet(),
	}
}

// Refuses says why a participant may not read: the default access is none, the
// participant is denied, or there is a list of those allowed without it. A denial
// is named first, since it wins over everything; a list that is empty allows
// nobody.
func (r Readers) Refuses(participant string) Refusal {
	switch {
	case r.denied[participant]:
		return ActorIsDenied
	case r.none:
		return DefaultIsNone
	case r.listed && !r.allowed[participant]:
		return ActorNotAllowed
	}
	return NotRefused
}

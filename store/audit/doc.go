// Package audit owns the tamper-evident chain of one run's trace events: the
// canonical hash of an event, the anchor a chain starts from, and the check that
// walks a stored chain.
//
// A link is hashed in two steps. The body digest covers everything an event
// says: run, call site, attempt, type, ordinal, actor, time and data, each
// preceded by its length, so no two events share an encoding. The link digest
// covers the previous hash, the sequence number and the body digest. The second
// step is small on purpose: a database can compute it under the lock that
// serialises a chain, which makes an append one round trip.
//
// A bare chain cannot show that its end was cut together with the recorded
// head, or that a whole run was deleted; that needs heads kept elsewhere and is
// left out here. Storing events is the drivers' work.
package audit

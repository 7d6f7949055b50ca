package audit

import (
	"encoding/binary"
	"strconv"
	"time"

	"terfyn/internal/canon"
	"terfyn/store"
)

// The domain strings keep the three kinds of digest apart from each other and
// from digests of documents. They change only with the encoding.
const (
	genesisDomain = "terfyn.chain.v1"
	bodyDomain    = "terfyn.event.v1"
	// LinkDomain starts the text a link digest is computed over; drivers that
	// link inside the database use it. See Link.
	LinkDomain = "terfyn.link.v1"
)

// TimeFormat is how times enter hashes: UTC with exactly six fractional digits.
const TimeFormat = "2006-01-02T15:04:05.000000Z"

// Genesis returns the anchor that the first event of a run links to.
func Genesis(runID string) canon.Digest {
	return canon.Sum(appendField([]byte(genesisDomain), runID))
}

// Hash returns the hash of e linked to prev. It reads every field of e except
// PrevHash and Hash; nil and empty Data are the same.
func Hash(prev canon.Digest, e store.Event) canon.Digest {
	return Link(prev, e.Seq, Body(e))
}

// Body returns the digest of what e says, without its place in the chain.
func Body(e store.Event) canon.Digest {
	b := make([]byte, 0, 256+len(e.Data))
	b = append(b, bodyDomain...)
	b = appendField(b, e.RunID)
	b = appendField(b, e.CallSite)
	b = appendField(b, strconv.Itoa(e.Attempt))
	b = appendField(b, e.Type)
	b = appendField(b, strconv.Itoa(e.Ordinal))
	b = appendField(b, e.ActorType)
	b = appendField(b, e.ActorID)
	b = appendField(b, e.At.UTC().Truncate(time.Microsecond).Format(TimeFormat))
	b = appendField(b, string(e.Data))
	return canon.Sum(b)
}

// Link returns the digest of the four lines LinkDomain, prev, seq and body. seq
// and body have a fixed form, so the text can be read in one way only.
func Link(prev canon.Digest, seq int64, body canon.Digest) canon.Digest {
	b := make([]byte, 0, 192)
	b = append(b, LinkDomain...)
	b = append(b, '\n')
	b = append(b, prev...)
	b = append(b, '\n')
	b = strconv.AppendInt(b, seq, 10)
	b = append(b, '\n')
	b = append(b, body...)
	return canon.Sum(b)
}

// appendField appends s behind its length as eight big-endian bytes.
func appendField(b []byte, s string) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(len(s)))
	return append(b, s...)
}

// Package store owns the durable records of terfyn: deployment snapshots and
// their artifacts, applied resources, runs, steps, the per-run audit chain,
// approvals, decisions and the effect ledger.
//
// The interfaces here are one of the two seams of the project (the other is the
// provider seam of activities): they are declared beside their records and
// implemented by store/sqlite and store/postgres, which both pass the one
// conformance suite of store/storetest.
//
// It leaves out the rules of the domain: whether a call is allowed, what a
// decision means and when an effect may be repeated are decided by policy and
// activities/guard; the store makes each transition atomic and refuses the ones
// whose precondition no longer holds.
package store

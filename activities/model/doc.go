// Package model owns the seam between agent steps and model providers: one
// request, one answer, and errors that say whether another attempt can help.
//
// A provider makes exactly one attempt per Generate; the workflow retries. The
// package leaves out the agent loop (workflows/agentloop), reading the output
// document from an answer (model/answer), prices (model/price) and the choice of
// a provider by name (model/open).
package model

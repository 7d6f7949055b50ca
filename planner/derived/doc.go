// Package derived owns what follows from a resource beside the fields its author
// wrote: the names a model sees, how many turns an agent gets, which policy governs
// a workflow, what that policy is once its preset is laid beneath it, what stops for
// a person. Everything is computed by the packages that also decide it when a run
// comes there; this one only puts it together for people who look.
package derived

// Package wire is the composition root: it puts stores, Temporal clients, workers
// and transports together from settings. It leaves out what the parts do and how
// anything looks.
package wire

// Package follow owns watching a run from outside until it closes, waits for a
// person, or the watcher leaves. It reads the store, where everything a run does
// is recorded, and uses Temporal only to learn that the run closed and with what.
// It leaves out starting runs and showing anything.
package follow

// Package careless passes a nil context: staticcheck must find it.
package careless

import "context"

func wait(ctx context.Context) { <-ctx.Done() }

// Run waits.
func Run() { wait(nil) }

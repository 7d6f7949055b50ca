// Command terfyn-devserver is a single-process Temporal server for development
// and tests. All behaviour lives in internal/server; this file only joins it to
// the operating system.
package main

import (
	"os"

	"terfyn/deploy/devserver/internal/server"
)

func main() { os.Exit(server.Main(os.Args[1:], os.Stdout, os.Stderr)) }

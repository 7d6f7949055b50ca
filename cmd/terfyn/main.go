// Command terfyn plans, applies and runs agents on Temporal. Everything it does
// is in cmd/internal/cli.
package main

import (
	"os"

	"terfyn/cmd/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

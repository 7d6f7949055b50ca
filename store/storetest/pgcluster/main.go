// Command pgcluster runs a command beside a throwaway PostgreSQL cluster:
//
//	go run ./store/storetest/pgcluster -- go test ./...
//
// The command finds the cluster in TERFYN_TEST_POSTGRES; a server named there
// already is used instead. pgcluster returns the command's exit code, passes
// SIGINT and SIGTERM on, and stops the cluster by its process id. As root it
// installs PostgreSQL through apt-get when it is missing.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

// Package server runs a complete Temporal server, all four services, inside one
// process, for development and for tests.
//
// It owns the command line (the flags of Temporal's own "server start-dev", so
// that the SDK's testsuite.StartDevServer can run this executable), the server's
// configuration, the SQLite database with its file's life cycle, and the
// definition of "ready". A start goes through these files in order: command.go
// and flags.go read the command line, persistence.go opens or makes the
// database, ports.go finds where to listen, config.go and dynamic.go describe
// the server, run.go starts and stops it, ready.go asks whether it answers.
//
// It leaves out a web console, PostgreSQL, TLS, authentication, metrics and
// every address but loopback: a server that others depend on is not this one.
package server

// Package pgserver owns a throwaway PostgreSQL cluster for tests: finding the
// binaries, initialising a data folder, running the server and removing both.
//
// The server is reachable through a socket in its own folder (or a loopback
// port where that path is too long), trusts everybody who can reach it and
// forgets everything on a crash; it is of no use outside tests. Databases and
// the skipping of tests are left to package pgtest.
package pgserver

// Package contract owns what crosses between workflow code, activities and
// clients: names of workflows, activities, updates, signals and queries, and the
// shapes of their payloads. Everything here is a wire format: names and JSON
// members are never changed, only added to.
//
// It needs no SDK, so a client in another program can speak it with plain JSON.
package contract

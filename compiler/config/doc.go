// Package config owns the user-local configuration: the two files that stand below
// a project, .agentic/local.yaml in its folder and config.yaml in the user's
// configuration home, what they may say and which of them counts.
//
// They hold limits and preferences of display. What a project may do (policies,
// grants, effects, endpoints, the state, the environment) has no key here, so that
// no file outside of the project can widen it unseen. Limits count where the project
// sets none; the compiler resolves them into the graph, which pins them for runs.
// The package gets bytes; it leaves out where the files are and reading them.
package config

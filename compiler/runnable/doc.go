// Package runnable owns the list of what the language has, compiles and pins, but
// the runtime of this build does not carry out.
//
// Such a project is validated, planned and applied like any other; validate says
// what is missing, and a run that would come to it is refused before it does
// anything. A construct becomes runnable by removing its rule here. The package
// reads a normalized graph and its programs; it leaves out how things are run.
package runnable

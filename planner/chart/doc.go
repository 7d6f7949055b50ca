// Package chart owns the drawing model of a project: its workflows, agents,
// operations and effects, and who leads to whom, with the calls that wait for a
// person, the loops around a call and the operations nobody declared effects of.
//
// A chart shows single edges; which effects a workflow reaches through all of them
// is the bound of compiler/effects, and a test holds the two together. How a chart
// is drawn is the business of the commands.
package chart

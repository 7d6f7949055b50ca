package budget

import (
	"fmt"
	"slices"

	"terfyn/internal/ordered"
)

// Command is a command of the nexflow group.
type Command string

// The commands. The zero Command is none, which a usage error has.
const (
	Discover Command = "discover"
	Validate Command = "validate"
	Inspect  Command = "inspect"
	Graph    Command = "graph"
	Init     Command = "init"
	Help     Command = "help"
	Version  Command = "version"
)

// Effect is something that a command does beside answering.
type Effect string

// The effects, in the order of nexflow.md 11.1. Only the first two can be allowed.
const (
	ProjectRead        Effect = "projectRead"
	ProjectWrite       Effect = "projectWrite"
	Network            Effect = "network"
	Process            Effect = "process"
	CredentialAccess   Effect = "credentialAccess" // environment variables included
	ProviderCall       Effect = "providerCall"     // a model or another provider
	ExtensionLoading   Effect = "extensionLoading"
	RuntimePreflight   Effect = "runtimePreflight"
	WorkflowExecution  Effect = "workflowExecution"
	BackgroundActivity Effect = "backgroundActivity" // whatever outlives the answer: tasks, caches, locks, logs
)

var (
	project   = []Effect{ProjectRead, ProjectWrite}
	forbidden = []Effect{
		Network, Process, CredentialAccess, ProviderCall, ExtensionLoading, RuntimePreflight, WorkflowExecution, BackgroundActivity,
	}
)

// Entry is the budget of one command: exactly the ten effects, and whether they are
// allowed.
type Entry map[Effect]bool

// Table is a budget for every command. Programs use Check, which has its own; tables
// of other making show that a bad one is refused.
type Table map[Command]Entry

// frozen gives the table of this build, a new one each time, so that nobody can
// change it for others.
func frozen() Table {
	return Table{
		Discover: entry(ProjectRead),
		Validate: entry(ProjectRead),
		Inspect:  entry(ProjectRead),
		Graph:    entry(ProjectRead),
		Init:     entry(ProjectRead, ProjectWrite),
		Help:     entry(),
		Version:  entry(),
	}
}

// entry allows nothing but what it lists.
func entry(allowed ...Effect) Entry {
	e := make(Entry, len(project)+len(forbidden))
	for _, list := range [][]Effect{project, forbidden} {
		for _, effect := range list {
			e[effect] = slices.Contains(allowed, effect)
		}
	}
	return e
}

// most is what a command may have at most; a command that is not listed has nothing.
func most(c Command) []Effect {
	switch c {
	case Discover, Validate, Inspect, Graph:
		return []Effect{ProjectRead}
	case Init:
		return []Effect{ProjectRead, ProjectWrite}
	}
	return nil
}

// Check asks the table of this build. Without an error the command may begin to read.
func Check(c Command) error { return frozen().Check(c) }

// Check reports why the command must not begin: it has no entry, the entry has not
// exactly the ten effects, or it allows one that the command must never have.
func (t Table) Check(c Command) error {
	e, ok := t[c]
	if !ok {
		return fmt.Errorf("the effect budget has no entry for %q", c)
	}
	for _, effect := range ordered.Keys(e) {
		if !slices.Contains(project, effect) && !slices.Contains(forbidden, effect) {
			return fmt.Errorf("the effect budget of %s has the unknown effect %q", c, effect)
		}
	}
	for _, effect := range slices.Concat(project, forbidden) {
		allowed, listed := e[effect]
		if !listed {
			return fmt.Errorf("the effect budget of %s says nothing about %s", c, effect)
		}
		if allowed && !slices.Contains(most(c), effect) {
			return fmt.Errorf("the effect budget of %s allows %s", c, effect)
		}
	}
	return nil
}

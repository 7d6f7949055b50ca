// Package environment asks for what the commands about manifest sets must not.
package environment

import (
	"os"
	system "syscall"
)

// Asked is every way to ask.
func Asked() []string {
	get := os.Getenv
	a, _ := os.LookupEnv("A")
	b, _ := system.Getenv("B")
	home, _ := os.UserHomeDir()
	return append(os.Environ(), get("C"), a, b, os.ExpandEnv("$D"), home)
}

// Getenv is a name of its own.
func Getenv() string { return "" }

// Own calls it.
func Own() string { return Getenv() }

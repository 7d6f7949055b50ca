package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkCold starts the built binary, as a person at a prompt does: version does
// nothing but start, validate compiles an example.
func BenchmarkCold(b *testing.B) {
	bin := filepath.Join(b.TempDir(), "terfyn")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		b.Fatalf("build terfyn: %v\n%s", err, out)
	}
	for name, args := range map[string][]string{
		"version":  {"version"},
		"validate": {"validate", "--project", "../../examples/support-reply"},
	} {
		b.Run(name, func(b *testing.B) {
			home := b.TempDir() // the configuration of whoever measures has no part in it
			for b.Loop() {
				cmd := exec.Command(bin, args...)
				cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home)
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("terfyn %v: %v\n%s", args, err, out)
				}
			}
		})
	}
}

package compiler_test

import (
	"fmt"
	"os"
	"testing"

	"terfyn/compiler"
	"terfyn/internal/bigproject"
)

// BenchmarkCompile is the whole way from source files to bounds.
func BenchmarkCompile(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 20_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			files := bigproject.Files(n)
			size := 0
			for _, f := range files {
				size += len(f.Data)
			}
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if _, ds := compiler.Compile(files, compiler.Options{Project: "big"}); ds.HasErrors() {
					b.Fatalf("%.2000s", ds)
				}
			}
		})
	}
}

// BenchmarkCompileExample is what a cold `terfyn validate` does after its start.
func BenchmarkCompileExample(b *testing.B) {
	project := os.DirFS("../examples/support-reply")
	b.ReportAllocs()
	for b.Loop() {
		if _, ds := compiler.Compile(project, compiler.Options{Project: "support-reply"}); ds.HasErrors() {
			b.Fatalf("%.2000s", ds)
		}
	}
}

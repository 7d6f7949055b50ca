package compiler_test

import (
	"fmt"
	"testing/fstest"

	"terfyn/compiler"
)

func ExampleCompile() {
	project := fstest.MapFS{"greet.agent": {Data: []byte(`
agent Greeter { model mock/default instructions "Greet the person." }
workflow greet(who: any) policy shell_safe { return Greeter(who) }
`)}}
	result, diagnostics := compiler.Compile(project, compiler.Options{Project: "hello"})
	fmt.Println(len(diagnostics), "diagnostics")
	fmt.Print(result.Programs[0].Dump())
	// Output:
	// 0 diagnostics
	// workflow greet(who) envelope
	//   _t0: agent Greeter(whole arg0: who) -> _t0
	//   return: return _t0
}

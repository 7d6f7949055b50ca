// Package cores spreads independent work over the processors. It owns nothing but
// that; the work must not depend on which part of it comes first.
package cores

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls do for 0 to n-1 and returns when every call has. Calls run at the same
// time, so each writes to a place of its own. A panic in a call is raised again by
// Each.
func Each(n int, do func(int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	if workers <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var failure atomic.Pointer[any]
	work := func() {
		defer func() {
			if p := recover(); p != nil {
				failure.CompareAndSwap(nil, &p)
			}
		}()
		for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
			do(int(i))
		}
	}
	var all sync.WaitGroup
	for range workers {
		all.Go(work)
	}
	all.Wait()
	if p := failure.Load(); p != nil {
		panic(*p)
	}
}

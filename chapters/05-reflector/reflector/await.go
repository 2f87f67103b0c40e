package reflector

import (
	"context"
	"sync/atomic"
)

// answer is how a call ended.
type answer[T any] struct {
	value    T
	err      error
	panicked any
}

// await makes a call that may not heed the end of its context, and returns at that end all the same. What the call
// returns later goes to late, if there is one. A panic of the call comes out here, as its value: the stack is await's.
//
// The call is begun or abandoned, and that is decided once: one that was not begun when await returns never is.
func await[T any](ctx context.Context, call func() (T, error), late func(T)) (T, error) {
	var decided atomic.Bool
	answers := make(chan answer[T], 1)
	go func() {
		if ctx.Err() != nil || decided.Swap(true) {
			return // abandoned, or about to be
		}
		var a answer[T]
		defer func() {
			a.panicked = recover()
			answers <- a
		}()
		a.value, a.err = call()
	}()
	select {
	case a := <-answers:
		if a.panicked != nil {
			panic(a.panicked)
		}
		return a.value, a.err
	case <-ctx.Done():
		if begun := decided.Swap(true); begun && late != nil {
			go func() {
				if a := <-answers; a.panicked == nil && a.err == nil {
					late(a.value)
				}
			}()
		}
		var none T
		return none, context.Cause(ctx)
	}
}

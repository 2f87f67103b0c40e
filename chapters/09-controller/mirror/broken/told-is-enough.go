// Guideline: S2-08
// Misconception: A failure is dealt with when it is reported.
// Caught by: TestSuite/client-go/a write that the server refuses is made again
// Message: the server has refused six writes
// Base: work.go

//go:build wrong

package mirror

import "context"

func (w Work) next(ctx context.Context) bool {
	key, shutdown := w.Queue.Get()
	if shutdown {
		return false
	}
	defer w.Queue.Done(key)
	if ctx.Err() != nil {
		return true
	}
	if err := w.attempt(ctx, key); err != nil && !expected(err) {
		w.report(key, err)
	}
	w.Queue.Forget(key)
	return true
}

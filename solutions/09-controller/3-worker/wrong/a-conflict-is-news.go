// Breaks: A conflict is an error like any other, but is not reported: the next attempt reads what is there by then.
// Caught by: TestAConflict
// Message: a conflict is not reported

//go:build wrong

package worker

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
	err := w.attempt(ctx, key)
	if err == nil {
		w.Queue.Forget(key)
		return true
	}
	w.Queue.AddRateLimited(key)
	w.Report(key, err)
	return true
}

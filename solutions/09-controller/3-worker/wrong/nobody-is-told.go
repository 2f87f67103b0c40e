// Breaks: The error is given to Report, bare or wrapped.
// Caught by: TestAFailureComesAgainLater
// Message: a fails three times: each is reported

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
	return true
}

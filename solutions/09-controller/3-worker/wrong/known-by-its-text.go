// Misconception: a conflict is known by its text.
// Caught by: TestAConflict
// Message: a conflict is not reported: Operation cannot be fulfilled on configmaps "a": the UID in the precondition

//go:build wrong

package worker

import (
	"context"
	"strings"
)

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
	if !strings.Contains(err.Error(), "please apply your changes to the latest version") {
		w.Report(key, err)
	}
	return true
}

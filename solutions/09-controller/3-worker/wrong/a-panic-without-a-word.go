// Breaks: A panic of Reconcile is an error of that key, whose text has what was panicked with.
// Caught by: TestAPanic
// Message: a panics with no such index: that is reported

//go:build wrong

package worker

import (
	"context"
	"errors"
)

func (w Work) attempt(ctx context.Context, key Key) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("Reconcile panicked")
		}
	}()
	return w.Reconcile(ctx, key)
}

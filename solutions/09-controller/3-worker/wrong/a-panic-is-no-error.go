// Breaks: A panic of Reconcile is an error of that key, whose text has what was panicked with.
// Caught by: TestAPanic
// Message: a panics, and comes again after 1s

//go:build wrong

package worker

import (
	"context"
	"fmt"
)

func (w Work) attempt(ctx context.Context, key Key) (err error) {
	defer func() {
		if p := recover(); p != nil {
			w.Report(key, fmt.Errorf("reconciling %s panicked: %v", key, p))
		}
	}()
	return w.Reconcile(ctx, key)
}

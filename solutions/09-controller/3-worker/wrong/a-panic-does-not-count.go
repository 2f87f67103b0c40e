// Misconception: a panic is a bug and no failure, so it does not count.
// Caught by: TestAPanic
// Message: three panics, and the limiter says 1s, 2s and 4s

//go:build wrong

package worker

import (
	"context"
	"fmt"
)

// attempt is Reconcile, whose panic is an error.
func (w Work) attempt(ctx context.Context, key Key) (err error) {
	defer func() {
		if p := recover(); p != nil {
			w.Queue.Forget(key)
			err = fmt.Errorf("reconciling %s panicked: %v", key, p)
		}
	}()
	return w.Reconcile(ctx, key)
}

// Misconception: a run that takes an hour hangs.
// Caught by: TestTheContextOfARun
// Message: the belief that a run which takes long hangs.

//go:build wrong

package worker

import (
	"context"
	"fmt"
	"time"
)

func (w Work) attempt(ctx context.Context, key Key) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("reconciling %s panicked: %v", key, p)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	return w.Reconcile(ctx, key)
}

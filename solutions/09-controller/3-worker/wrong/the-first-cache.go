// Breaks: No key is reconciled before all of Synced are done.
// Caught by: TestNothingBeforeTheCaches
// Message: the second of two caches is not filled: nothing is reconciled

//go:build wrong

package worker

import (
	"context"
	"errors"
	"fmt"
)

func (w Work) wait(ctx context.Context) error {
	for _, checker := range w.Synced {
		select {
		case <-checker.Done():
			return nil
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("caches that are not filled: %v", w.missing()), context.Cause(ctx))
		}
	}
	return nil
}

// Breaks: No key is reconciled before all of Synced are done.
// Caught by: TestNothingBeforeTheCaches
// Message: one of two caches is not filled: nothing is reconciled

//go:build wrong

package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

func (w Work) wait(ctx context.Context) error {
	for range w.Synced {
		any := make(chan struct{})
		stop := make(chan struct{})
		var once sync.Once
		var waiting sync.WaitGroup
		for _, checker := range w.Synced {
			waiting.Go(func() {
				select {
				case <-checker.Done():
					once.Do(func() { close(any) })
				case <-stop:
				}
			})
		}
		var err error
		select {
		case <-any:
		case <-ctx.Done():
			err = errors.Join(fmt.Errorf("caches that are not filled: %v", w.missing()), context.Cause(ctx))
		}
		close(stop)
		waiting.Wait()
		return err
	}
	return nil
}

// Breaks: and errors.Is finds context.Cause(ctx) in it.
// Caught by: TestEndsBeforeTheCaches
// Message: errors.Is finds the cause in what Run returns

//go:build wrong

package worker

import (
	"context"
	"fmt"
)

func (w Work) wait(ctx context.Context) error {
	for _, checker := range w.Synced {
		select {
		case <-checker.Done():
		case <-ctx.Done():
			return fmt.Errorf("caches that are not filled: %v: %w", w.missing(), ctx.Err())
		}
	}
	return nil
}

// Misconception: the connection should be back as soon as possible.
// Caught by: TestDelaysGrow
// Message: the belief that a failed request may be sent again at once

//go:build wrong

package backoff

import (
	"context"
	"errors"
	"time"
)

func (b *Backoff) Keep(ctx context.Context, watch func(context.Context) error) {
	for ctx.Err() == nil {
		err := watch(ctx)
		var busy *Busy
		if errors.As(err, &busy) {
			select {
			case <-time.After(busy.RetryAfter):
			case <-ctx.Done():
			}
		}
	}
}

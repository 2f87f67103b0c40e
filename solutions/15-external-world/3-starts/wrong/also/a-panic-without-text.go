// Breaks: A panic of a task is its failure: done is told an error that holds its text. All else goes on.
// Stage: 4

//go:build wrong

package starts

import (
	"context"
	"errors"
)

func attempt(ctx context.Context, task func(context.Context) error) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the task panicked")
		}
	}()
	return task(ctx)
}

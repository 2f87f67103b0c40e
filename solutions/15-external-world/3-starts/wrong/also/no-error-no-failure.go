// Misconception: a task without an error has gone well.
// Stage: 4

//go:build wrong

package starts

import "context"

func attempt(ctx context.Context, task func(context.Context) error) (err error) {
	defer func() { _ = recover() }()
	return task(ctx)
}

// Misconception: what panics is a mistake that has to end the program.
// Caught by: TestPanic
// Message: panic

//go:build wrong

package starts

import "context"

func attempt(ctx context.Context, task func(context.Context) error) (err error) { return task(ctx) }

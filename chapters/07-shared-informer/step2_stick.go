package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// stick is step 2: news come while a handler is stuck.
func (t *tour) stick(ctx context.Context, l *lab.Lab) error {
	t.Update("menu")
	t.Update("menu")
	t.Create("hours")
	t.Delete("prices")
	if err := show(ctx, l, t.World, t.Writer); err != nil {
		return err
	}
	l.Conclude("Neither the store nor fast waits for stuck. What stuck has not been given yet waits in a buffer of " +
		"its own: one object of the list, and the four changes since.")
	return nil
}

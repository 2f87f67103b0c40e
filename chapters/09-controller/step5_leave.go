package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// leave is step 5: what the controller has made goes, and what it has not made stays.
func (t *tour) leave(ctx context.Context, l *lab.Lab) error {
	err := do(
		func() error { return t.world.Asks(ctx, "north", false) },
		func() error { return t.control.Show(ctx, "DELETE north/rules") },
		func() error { return t.world.Create(ctx, "south", "soups", "", "of somebody") },
		func() error { return t.world.Source(ctx, "soups", "leek") },
		func() error { return t.control.Show(ctx, "POST east/soups") },
		func() error { return t.world.Table(ctx, "north/rules", "east/soups", "south/soups") },
	)
	if err != nil {
		return err
	}
	l.Conclude("The mirror is deleted, and only that: if it is another object by now, or another version, the server " +
		"refuses. What stands in south/soups is no mirror, and stays.")
	return nil
}

package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// change is step 2: a source changes.
func (t *tour) change(ctx context.Context, l *lab.Lab) error {
	reads := len(t.control.Reads(0))
	err := do(
		func() error { return t.world.Patch(ctx, "home", "menu", scenario.Today("stew")) },
		func() error { return t.control.Show(ctx, "PUT north/menu", "PUT south/menu") },
		func() error { return t.world.Table(ctx, "home/menu", "north/menu", "south/menu") },
	)
	if err != nil {
		return err
	}
	l.Became("GETs since the change: %d", len(t.control.Reads(0))-reads)
	l.Conclude("The event named two places, north/menu and south/menu. A run for each read the caches, saw that the " +
		"mirror is not what it should be, and wrote.")
	return nil
}

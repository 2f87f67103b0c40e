package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// damage is step 3: somebody changes and deletes what the controller has made.
func (t *tour) damage(ctx context.Context, l *lab.Lab) error {
	err := do(
		func() error {
			return t.world.Patch(ctx, "north", "menu", `{"data":{"today":"nothing"},"metadata":{"labels":{"team":"kitchen"}}}`)
		},
		func() error { return t.control.Show(ctx, "PUT north/menu") },
		func() error { return t.world.Delete(ctx, "south", "menu") },
		func() error { return t.control.Show(ctx, "POST south/menu") },
		func() error { return t.world.Table(ctx, "north/menu", "south/menu") },
	)
	if err != nil {
		return err
	}
	label, err := t.world.Label(ctx, "north", "menu", "team")
	if err != nil {
		return err
	}
	l.Became("north/menu has its data again, and still the label team=%s", label)
	l.Conclude("A repair is the same run as before: the mirror is not what it should be. It does not ask who did it, " +
		"and leaves what it does not own: the label is somebody's.")
	return nil
}

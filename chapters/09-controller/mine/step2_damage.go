package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// damage is step 2: others write where the controller does.
func (r *run) damage(ctx context.Context, l *lab.Lab) error {
	err := first(
		r.world.Patch(ctx, "north", "menu", scenario.Today("nothing")),
		r.world.Delete(ctx, "south", "menu"),
		r.world.Create(ctx, "north", "soups", "-", "of somebody"),
		r.world.Source(ctx, "soups", "leek"),
	)
	if err != nil {
		return err
	}
	err = r.becomes(ctx, l, map[string]string{
		"north/menu": "a mirror of home/menu: soup", "south/menu": "a mirror of home/menu: soup",
		"north/soups": "somebody's: of somebody", "south/soups": "a mirror of home/soups: leek",
	})
	if err != nil {
		return err
	}
	if err := r.world.Delete(ctx, "north", "soups"); err != nil {
		return err
	}
	return r.becomes(ctx, l, map[string]string{"north/soups": "a mirror of home/soups: leek"})
}

package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// begin is step 1: a controller begins, and makes what is missing.
func (t *tour) begin(ctx context.Context, l *lab.Lab) (err error) {
	if t.world, err = scenario.NewWorld(ctx, l, []string{"north", "south"}, "east"); err != nil {
		return err
	}
	if err := t.world.Source(ctx, "menu", "soup"); err != nil {
		return err
	}
	if t.control, err = t.world.Start(ctx, scenario.Options{}); err != nil {
		return err
	}
	if err := t.control.Show(ctx, "POST north/menu", "POST south/menu"); err != nil {
		return err
	}
	for _, read := range t.control.Reads(0) {
		l.Became("it has asked for %s", read.Place)
	}
	if err := t.world.Table(ctx, "home/menu", "north/menu", "south/menu", "east/menu"); err != nil {
		return err
	}
	l.Conclude("The controller has two caches, and a watch for each. It read in them that north and south lack a " +
		"mirror, and wrote. Nobody told it to create anything.")
	return nil
}

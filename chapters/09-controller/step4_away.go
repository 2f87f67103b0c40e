package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// away is step 4: a controller ends, and another begins later.
func (t *tour) away(ctx context.Context, l *lab.Lab) (err error) {
	t.control.Stop()
	l.Became("the controller has stopped")
	err = do(
		func() error { return t.world.Delete(ctx, "home", "menu") },
		func() error { return t.world.Source(ctx, "rules", "no smoking") },
		func() error { return t.world.Asks(ctx, "east", true) },
	)
	if err != nil {
		return err
	}
	if t.control, err = t.world.Start(ctx, scenario.Options{}); err != nil {
		return err
	}
	l.Became("a new controller begins, with empty caches and an empty queue")
	err = do(
		func() error {
			return t.control.Show(ctx, "DELETE north/menu", "DELETE south/menu", "POST east/rules", "POST north/rules",
				"POST south/rules")
		},
		func() error {
			return t.world.Table(ctx, "north/menu", "south/menu", "north/rules", "south/rules", "east/rules")
		},
	)
	if err != nil {
		return err
	}
	l.Conclude("A restart is no special case. What was missed is not looked for: each object of the first list leads " +
		"to runs, and a run compares what is with what should be.")
	return nil
}

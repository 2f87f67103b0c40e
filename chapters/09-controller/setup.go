package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// tour is what the steps share: the namespaces, and the controller that runs at present.
type tour struct {
	world   *scenario.World
	control *scenario.Control
}

// part makes a step that leaves no controller behind if it fails: then there is no next one.
func (t *tour) part(run func(context.Context, *lab.Lab) error) func(context.Context, *lab.Lab) error {
	return func(ctx context.Context, l *lab.Lab) error {
		err := run(ctx, l)
		if err != nil && t.control != nil {
			t.control.Stop()
		}
		return err
	}
}

// do calls functions until one fails.
func do(all ...func() error) error {
	for _, f := range all {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

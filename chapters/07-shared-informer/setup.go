package main

import (
	"context"

	"k8s.io/client-go/kubernetes"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// tour is what the first three steps share: one informer, one who writes, and three handlers.
type tour struct {
	*scenario.World
	*scenario.Writer
	fast, stuck, late *scenario.Handler
}

// newTour makes the handlers; the first step makes the rest.
func newTour() *tour {
	return &tour{fast: scenario.NewHandler("fast"), stuck: scenario.NewHandler("stuck").Stick(),
		late: scenario.NewHandler("late")}
}

// part makes a step of what uses the shared informer, which is stopped if the step fails: then there is no next one.
func (t *tour) part(run func(context.Context, *lab.Lab) error) func(context.Context, *lab.Lab) error {
	return func(ctx context.Context, l *lab.Lab) error {
		if t.Writer != nil {
			t.Writer.In(ctx)
		}
		err := run(ctx, l)
		if err != nil && t.World != nil {
			t.Stop()
		}
		return err
	}
}

// begin makes objects, and an informer of them, with handlers. It does not run yet.
func begin(ctx context.Context, l *lab.Lab, names []string, handlers ...*scenario.Handler) (*scenario.World,
	*scenario.Writer, error) {
	direct, err := scenario.Direct(l)
	if err != nil {
		return nil, nil, err
	}
	writer, err := scenario.NewWriter(ctx, l, direct, names...)
	if err != nil {
		return nil, nil, err
	}
	world, err := join(direct, l, handlers...)
	writer.Seen = world
	return world, writer, err
}

// join makes an informer over a client, with handlers.
func join(over kubernetes.Interface, l *lab.Lab, handlers ...*scenario.Handler) (*scenario.World, error) {
	world := scenario.NewWorld(over, l.Namespace, informer.Options{})
	return world, world.Join(handlers...)
}

// start runs the informer until all have settled.
func start(ctx context.Context, world *scenario.World) error {
	world.Run(ctx)
	err := world.Settle(ctx)
	if err != nil {
		world.Stop()
	}
	return err
}

// show waits until all that was written has settled, and shows who knows what.
func show(ctx context.Context, l *lab.Lab, world *scenario.World, writer *scenario.Writer) error {
	if writer.Err != nil {
		return writer.Err
	}
	if err := world.Settle(ctx); err != nil {
		return err
	}
	world.Board(l)
	return nil
}

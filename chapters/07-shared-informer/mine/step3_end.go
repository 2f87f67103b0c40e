package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// end is step 3: the slow handler goes on, and the informer stops.
func (r *run) end(ctx context.Context, l *lab.Lab) error {
	r.slow.Release()
	if err := r.show(ctx, l); err != nil {
		return err
	}
	r.world.Counts(l)
	if err := r.compare(ctx, l); err != nil {
		return err
	}
	return r.stop()
}

package deletion

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/finalizer"
)

// Pieces are parts that may be somebody else's: a reader's of the exercises. What is nil is this package's. A Guard is
// swapped as a whole, by what it is made of: its fields say all that another one needs.
type Pieces struct {
	// Process makes the clean-up of Processes; [ProcessSteps] otherwise.
	Process func(k Busy, m Machine, a Archive) finalizer.Finalizer
	// Order makes the step of sets; [Order.Do] otherwise.
	Order func(d *Order) func(ctx context.Context, set client.Object) error
}

// orOurs has this package's parts for those that are nil.
func (p Pieces) orOurs() Pieces {
	if p.Process == nil {
		p.Process = ProcessSteps
	}
	if p.Order == nil {
		p.Order = func(d *Order) func(context.Context, client.Object) error { return d.Do }
	}
	return p
}

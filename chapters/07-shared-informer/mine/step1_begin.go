package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// many are more than fit between the informer and a buffer.
const many = 70

// begin is step 1: a list, and changes.
func (r *run) begin(ctx context.Context, l *lab.Lab) error {
	for _, p := range r.yours.each() {
		if *p.Yours {
			l.Say("%s: %s", p.exercise(), p.what)
		}
	}
	if !r.yours.lives {
		l.Say("07.3 is a stub: nobody tells lives, since the book has no such handler.")
	}
	direct, err := scenario.Direct(l)
	if err != nil {
		return err
	}
	r.seen, err = scenario.NewWriter(ctx, l, direct, "bread", "soup", "tea")
	if err != nil {
		return err
	}
	r.unseen = scenario.NewWriterOf(ctx, l, direct)
	const before = 3 + many + 1 // the list, which comes as events, and the changes of this step
	err = r.start(ctx, l, before+1, func() {
		r.unseen.Delete("tea")
		r.unseen.Delete("bread")
		r.unseen.Create("bread")
	})
	if err != nil {
		return err
	}
	if err := r.world.Settle(ctx); err != nil {
		return err
	}
	if err := r.burst(ctx, l); err != nil {
		return err
	}
	r.seen.Create("cake")
	if err := r.show(ctx, l); err != nil {
		return err
	}
	if err := r.tell(ctx, l, "the lives of bread: born", "the lives of cake: born",
		"the lives of soup: born, changed 70 times", "the lives of tea: born"); err != nil {
		return err
	}
	l.Conclude("fast knows what the store has. slow is in a call, and %d notifications wait for it.",
		r.slow.Registration.Waiting())
	return nil
}

// burst updates soup many times, and waits for nobody.
func (r *run) burst(ctx context.Context, l *lab.Lab) error {
	quiet, err := scenario.Quiet(l)
	if err != nil {
		return err
	}
	l.Sent("update soup %d times", many)
	writer := scenario.NewWriterOf(ctx, l, quiet)
	for range many {
		writer.Update("soup")
	}
	return writer.Err
}

package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// many are the updates of each object that is being processed.
const many = 50

// busy is step 1: bread and soup change while workers are stuck with them. The third worker is free.
func (r *run) busy(ctx context.Context, l *lab.Lab) error {
	for _, p := range r.yours.each() {
		if *p.Yours {
			l.Say("%s: %s", p.exercise(), p.what)
		}
	}
	if err := r.start(ctx, l, "bread", "soup"); err != nil {
		return err
	}
	for _, name := range []string{"bread", "soup"} {
		if err := r.until(ctx, name, func(now record) bool { return now.now == 1 }); err != nil {
			return err
		}
	}
	if err := r.settled(ctx, "tea"); err != nil {
		return err
	}
	l.Sent("update bread and soup, %d times each", many)
	for range many {
		for _, name := range []string{"bread", "soup"} {
			if err := r.writer.update(ctx, name); err != nil {
				return err
			}
		}
	}
	if err := r.heard(ctx, "bread", "soup"); err != nil {
		return err
	}
	r.board(l, "bread", "soup", "tea")
	l.Conclude("Two workers are stuck, the third waits, and %d keys are in the line.", r.workers.queue.Len())
	r.workers.release()
	if err := r.settled(ctx, "bread", "soup"); err != nil {
		return err
	}
	l.Became("both workers go on")
	r.board(l, "bread", "soup", "tea")
	l.Conclude("All that was added during a run is one run more, and that saw the last version.")
	return nil
}

// heard waits until the handler was told of what was written last.
func (r *run) heard(ctx context.Context, names ...string) error {
	for _, name := range names {
		last := r.writer.last[name]
		if err := r.until(ctx, name, func(now record) bool { return now.heard == last }); err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// drain is step 3: the queue shuts down while a worker is stuck, and the key that it has is to be processed again.
func (r *run) drain(ctx context.Context, l *lab.Lab) error {
	if err := r.stuckAgain(ctx, "soup"); err != nil {
		return err
	}
	w, drained := r.workers, make(chan record, 1)
	call, end := "ShutDownWithDrain", w.queue.ShutDownWithDrain
	if r.yours.sets && !r.yours.drains {
		l.Say("ShutDownWithDrain is stage 4 of 08.1, and is still to be written. Without it the program shuts down and " +
			"waits for its workers.")
		call, end = "ShutDown", func() { w.queue.ShutDown(); w.all.Wait() }
	}
	l.Sent("%s, and Add(cake)", call)
	go func() { end(); drained <- w.record("soup") }()
	if err := r.until(ctx, "soup", func(record) bool { return w.queue.ShuttingDown() }); err != nil {
		return err
	}
	cakes := len(w.record("cake").runs)
	w.queue.Add(key{Namespace: l.Namespace, Name: "cake"})
	r.board(l, "bread", "cake", "soup", "tea")
	w.release()
	select {
	case soup := <-drained:
		if soup.now > 0 || soup.saw != r.writer.last["soup"] {
			return r.wrong("after %s soup was with %d workers, or its last change was not processed", call, soup.now)
		}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := w.returned(ctx); err != nil {
		return err
	}
	l.Became("the worker goes on; %s is over, and all workers have returned", call)
	r.board(l, "bread", "cake", "soup", "tea")
	if again := len(w.record("cake").runs); again != cakes {
		return r.wrong("cake was added after the shutdown, and was processed")
	}
	l.Conclude("Nobody has looked at tea: what waits for its time is not in the queue, and was dropped.")
	if err := r.compare(ctx, l); err != nil {
		return err
	}
	return r.stop()
}

// stuckAgain has a worker get stuck with an object, which then changes once more.
func (r *run) stuckAgain(ctx context.Context, name string) error {
	runs := len(r.workers.record(name).runs)
	r.workers.stick(name)
	for range 2 {
		if err := r.writer.update(ctx, name); err != nil {
			return err
		}
		if err := r.until(ctx, name, func(now record) bool { return len(now.runs) > runs }); err != nil {
			return err
		}
	}
	return r.heard(ctx, name)
}

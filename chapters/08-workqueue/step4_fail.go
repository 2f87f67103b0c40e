package main

import (
	"context"
	"fmt"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// failures is how often soups fails.
const failures = 8

// fail is step 4: a key fails, and waits longer each time.
func (t *tour) fail(ctx context.Context, l *lab.Lab) error {
	defer t.end()
	before := len(t.Runs("soups"))
	said := len(t.limiter.said)
	if err := t.Set(ctx, "soups", "failures", failures); err != nil {
		return err
	}
	failed := func(n int) func() bool {
		return func() bool { return t.Queue.NumRequeues(key(l, "soups")) == n }
	}
	if err := scenario.Until(ctx, failed(failures)); err != nil {
		return err
	}
	l.Became("soups has failed %d times, and waits. Meanwhile:", failures)
	if err := t.Set(ctx, "menu", "write", t.updates+5); err != nil {
		return err
	}
	if err := t.settle(ctx, l, "menu"); err != nil {
		return err
	}
	l.Wire("menu is handed out %s after it was added", ms(t.last("menu").Waited))
	if err := scenario.Until(ctx, failed(0)); err != nil {
		return err
	}
	ran := t.Runs("soups")[before:]
	if len(ran) != failures+1 || len(t.limiter.said) != said+failures {
		return fmt.Errorf("soups had %d runs, and the limiter was asked %d times", len(ran), len(t.limiter.said)-said)
	}
	plot(l, "soups failed", ran, t.limiter.said[said:])
	l.Became("it succeeds in run %d, and is forgotten: its number of failures is %d", len(ran),
		t.Queue.NumRequeues(key(l, "soups")))
	l.Conclude("AddRateLimited asks a limiter how long a key has to wait, and the limiter says twice as long each " +
		"time. Other keys do not wait for it, and no worker does. Forget ends it: the next failure is a first one.")
	return nil
}

// plot lines up the runs of a key with the times that it had to wait after those that failed.
func plot(l *lab.Lab, head string, ran []scenario.Run, said []time.Duration) {
	rows := [][]string{{head, "has to wait", "waited", ""}}
	for i, delay := range said {
		waited := ran[i+1].Began.Sub(ran[i].Ended)
		rows = append(rows, []string{fmt.Sprint(i + 1), ms(delay), ms(waited), bar(delay, said[len(said)-1])})
	}
	l.Table(rows...)
}

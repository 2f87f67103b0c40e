package main

import (
	"context"
	"fmt"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

const (
	failures = 4
	sooner   = 2 * base
)

// fail is step 2: a key fails, and others are to be looked at later.
func (r *run) fail(ctx context.Context, l *lab.Lab) error {
	tea, bread := key{Namespace: l.Namespace, Name: "tea"}, key{Namespace: l.Namespace, Name: "bread"}
	ran := len(r.workers.record("bread").runs)
	l.Sent("AddAfter(tea, 1h), AddAfter(bread, 1h), AddAfter(bread, %v)", sooner)
	r.workers.queue.AddAfter(tea, time.Hour)
	r.workers.queue.AddAfter(bread, time.Hour)
	since := time.Now()
	r.workers.queue.AddAfter(bread, sooner)
	r.workers.fail("cake", failures)
	if err := r.writer.create(ctx, "cake"); err != nil {
		return err
	}
	if err := r.until(ctx, "bread", func(now record) bool { return len(now.runs) > ran && now.now == 0 }); err != nil {
		return err
	}
	after := r.workers.record("bread").runs[ran].Sub(since)
	if after < sooner {
		return r.wrong("bread was to be looked at after %v, and was after %v", sooner, after)
	}
	if err := r.times(ctx, failures+1); err != nil {
		return err
	}
	if err := r.curve(l); err != nil {
		return err
	}
	l.Conclude("bread was looked at after %v: the sooner of the two times holds.", after.Round(time.Millisecond))
	return r.anew(ctx, l)
}

// times waits until cake has been processed so many times.
func (r *run) times(ctx context.Context, runs int) error {
	return r.until(ctx, "cake", func(now record) bool { return len(now.runs) >= runs && now.now == 0 })
}

// curve shows how long cake waited after each failure.
func (r *run) curve(l *lab.Lab) error {
	told, runs, want := r.limiter.all(), r.workers.record("cake").runs, base
	rows := [][]string{{"failures of cake", "has to wait", "came after"}}
	for n, delay := range told {
		after := runs[n+1].Sub(runs[n])
		rows = append(rows, []string{fmt.Sprint(n + 1), fmt.Sprint(delay), fmt.Sprint(after.Round(time.Millisecond))})
		if delay != want || after < delay {
			l.Table(rows...)
			return r.wrong("failure %d of cake: it should have waited for %v", n+1, want)
		}
		want *= 2
	}
	l.Table(rows...)
	return nil
}

// anew has cake fail once more.
func (r *run) anew(ctx context.Context, l *lab.Lab) error {
	runs := len(r.workers.record("cake").runs)
	r.workers.fail("cake", 1)
	l.Sent("update cake, which fails once more")
	if err := r.writer.update(ctx, "cake"); err != nil {
		return err
	}
	if err := r.times(ctx, runs+2); err != nil {
		return err
	}
	told := r.limiter.all()
	if last := told[len(told)-1]; last != base {
		return r.wrong("cake had succeeded and was forgotten. Its next failure waits for %v, and it was %v", base, last)
	}
	l.Conclude("cake had succeeded and was forgotten: it waited for %v again.", base)
	return nil
}

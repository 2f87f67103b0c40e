package main

import (
	"context"
	"fmt"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

const (
	pause = 50 * time.Millisecond // is what a run takes
	parts = 4                     // of the updates, with a line after each
	limit = 18 * time.Second      // is how long updates are written on a machine that is busy with something else
)

// collapse is step 1: many updates of few objects.
func (t *tour) collapse(ctx context.Context, l *lab.Lab) error {
	if err := t.begin(ctx, l); err != nil {
		return err
	}
	t.Pause = pause
	_, before := t.Total()
	began := time.Now()
	updates := make([]int, len(objects))
	if err := t.Set(ctx, objects[0], "write", 1); err != nil { // one shows itself
		return err
	}
	updates[0] = 1
	for part := 1; part <= parts; part++ {
		if err := t.Flood(ctx, objects, updates, t.updates*part/parts, limit/parts); err != nil {
			return err
		}
		_, runs := t.Total()
		l.Became("%d of %d updates written, %d runs", sum(updates), len(objects)*t.updates, runs-before)
	}
	took := time.Since(began)
	if err := t.settle(ctx, l, objects...); err != nil {
		return err
	}
	adds, runs := t.table(l, updates)
	l.Conclude("%d adds in %.1f s became %d runs. A key that waits is not added again. No key was with two workers "+
		"at once, and the last run of each saw its last version.", adds, took.Seconds(), runs)
	return nil
}

// table shows what was added and run since the initial list, and returns it for all objects.
func (t *tour) table(l *lab.Lab, updates []int) (adds, runs int) {
	rows := [][]string{{"", "updates", "adds", "runs", "at once", "last version", "last run saw"}}
	most := 0
	for i, name := range objects {
		itsAdds, itsRuns := t.Adds(name)-1, len(t.Runs(name))-1
		rows = append(rows, []string{name, fmt.Sprint(updates[i]), fmt.Sprint(itsAdds), fmt.Sprint(itsRuns),
			fmt.Sprint(t.Most(name)), t.Writer.Version(name), t.last(name).Version})
		adds, runs = adds+itsAdds, runs+itsRuns
		most = max(most, t.Most(name))
	}
	rows = append(rows, []string{"all", fmt.Sprint(sum(updates)), fmt.Sprint(adds), fmt.Sprint(runs),
		fmt.Sprint(most)})
	l.Table(rows...)
	return adds, runs
}

func sum(numbers []int) (all int) {
	for _, n := range numbers {
		all += n
	}
	return all
}

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

const (
	pause = 50 * time.Millisecond // is what a run takes
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
	all := t.updates * len(objects)
	updates, err := t.Flood(ctx, objects, t.updates, all/4, limit, func(written int) {
		_, runs := t.Total()
		l.Became("%d updates written, %d runs", written, runs-before)
	})
	if err != nil {
		return err
	}
	took := time.Since(began)
	if took > limit {
		l.Became("%s are over, and the rest of the updates is left out", limit)
	}
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
	written, most := 0, 0
	for i, name := range objects {
		itsAdds, itsRuns := t.Adds(name)-1, len(t.Runs(name))-1
		rows = append(rows, []string{name, fmt.Sprint(updates[i]), fmt.Sprint(itsAdds), fmt.Sprint(itsRuns),
			fmt.Sprint(t.Most(name)), t.Writer.Version(name), t.last(name).Version})
		adds, runs = adds+itsAdds, runs+itsRuns
		written, most = written+updates[i], max(most, t.Most(name))
	}
	l.Table(append(rows, []string{"all", fmt.Sprint(written), fmt.Sprint(adds), fmt.Sprint(runs), fmt.Sprint(most)})...)
	return adds, runs
}

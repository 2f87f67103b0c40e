package main

import (
	"context"
	"fmt"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// requests is how many requests of a run meet faults.
const requests = 300

// listUnderFire plays list-then-watch, and keeps what came of it.
func (t *tour) listUnderFire(kinds []faults.Kind) func(context.Context, *lab.Lab) error {
	return func(ctx context.Context, l *lab.Lab) (err error) {
		if t.listed, err = t.fire(ctx, l, kinds, false); err != nil {
			return err
		}
		l.Table(faultTable(t.listed)...)
		l.Conclude("%d faults and %d writes later, the view equals a fresh LIST of %d objects, "+
			"and each value of each object was seen once, and in order.", t.listed.Total, t.listed.Writes, t.listed.Objects)
		return nil
	}
}

// faultTable has two faults on a line, so that it fits beside what is said about it.
func faultTable(r *scenario.Result) [][]string {
	head := []string{"fault", "times"}
	if len(r.Faults) > 1 {
		head = append(head, "", "fault", "times")
	}
	rows := [][]string{head}
	for _, k := range faults.Kinds {
		cells := []string{string(k), fmt.Sprint(r.Faults[k])}
		switch last := rows[len(rows)-1]; {
		case r.Faults[k] == 0:
		case len(rows) > 1 && len(last) == 2:
			rows[len(rows)-1] = append(append(last, "  "), cells...)
		default:
			rows = append(rows, cells)
		}
	}
	return rows
}

// fire plays one run.
func (t *tour) fire(ctx context.Context, l *lab.Lab, kinds []faults.Kind, streaming bool) (*scenario.Result, error) {
	r := t.run(l)
	r.Script, r.Requests, r.Streaming = faults.Seeded(t.seed, requests, kinds...), requests+1, streaming
	start := time.Now()
	result, err := r.Play(ctx)
	if err != nil {
		return nil, err
	}
	l.Say("%d requests under fire, seed %d, played in %.1f s.", requests, t.seed, time.Since(start).Seconds())
	return result, nil
}

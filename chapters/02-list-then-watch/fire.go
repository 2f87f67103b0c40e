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

// listed is the result of the run before, to compare with.
var listed *scenario.Result

func listUnderFire(ctx context.Context, l *lab.Lab) (err error) {
	if listed, err = fire(ctx, l, false); err != nil {
		return err
	}
	rows := [][]string{{"fault", "times", "", "fault", "times"}}
	for _, k := range faults.Kinds {
		cells := []string{string(k), fmt.Sprint(listed.Faults[k])}
		switch last := rows[len(rows)-1]; {
		case listed.Faults[k] == 0:
		case len(last) == 2:
			rows[len(rows)-1] = append(append(last, "  "), cells...)
		default:
			rows = append(rows, cells)
		}
	}
	l.Table(rows...)
	l.Conclude("%d faults and %d writes later, the view equals a fresh LIST of %d objects, and each object's "+
		"values were seen all, once, in order.", listed.Total, listed.Writes, listed.Objects)
	return nil
}

func streamUnderFire(ctx context.Context, l *lab.Lab) error {
	streamed, err := fire(ctx, l, true)
	if err != nil {
		return err
	}
	rows := [][]string{{"", "list-then-watch", "streaming list"}}
	for _, row := range []struct {
		name string
		of   func(*scenario.Result) string
	}{
		{"faults", func(r *scenario.Result) string { return fmt.Sprint(r.Total) }},
		{"writes", func(r *scenario.Result) string { return fmt.Sprint(r.Writes) }},
		{"LISTs", func(r *scenario.Result) string { return fmt.Sprint(r.Lists) }},
		{"watches", func(r *scenario.Result) string { return fmt.Sprint(r.Watches) }},
		{"bytes of LISTs", func(r *scenario.Result) string { return kilobytes(r.ListBytes) }},
		{"bytes of watches", func(r *scenario.Result) string { return kilobytes(r.WatchBytes) }},
		{"delays, added up", func(r *scenario.Result) string { return r.Waited.Round(time.Second).String() }},
	} {
		rows = append(rows, []string{row.name, row.of(listed), row.of(streamed)})
	}
	l.Table(rows...)
	l.Conclude("The streaming list needs no LIST: a start that fails is a watch that fails. Nothing of an " +
		"unfinished start may be kept, so that the next one brings all objects again.")
	return nil
}

// fire plays one run.
func fire(ctx context.Context, l *lab.Lab, streaming bool) (*scenario.Result, error) {
	r := run(l)
	r.Script, r.Requests, r.Streaming = faults.Seeded(seed, requests, kinds...), requests+1, streaming
	start := time.Now()
	l.Sent("%d requests under fire, seed %d", requests, seed)
	result, err := r.Play(ctx)
	if err != nil {
		return nil, err
	}
	l.Say("Played in %.1f s.", time.Since(start).Seconds())
	return result, nil
}

func kilobytes(n int64) string { return fmt.Sprintf("%.0f kB", float64(n)/1000) }

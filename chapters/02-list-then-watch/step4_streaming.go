package main

import (
	"context"
	"fmt"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// streamUnderFire plays the streaming list, and compares.
func (t *tour) streamUnderFire(kinds []faults.Kind) func(context.Context, *lab.Lab) error {
	return func(ctx context.Context, l *lab.Lab) error {
		streamed, err := t.fire(ctx, l, kinds, true)
		if err != nil {
			return err
		}
		l.Table(comparison(t.listed, streamed)...)
		l.Conclude("The streaming list needs no LIST: a start that fails is a watch that fails. " +
			"Nothing of an unfinished start may be kept, so that the next one brings all objects again.")
		return nil
	}
}

// comparison has a row for each thing that is counted.
func comparison(listed, streamed *scenario.Result) [][]string {
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
	return rows
}

func kilobytes(n int64) string { return fmt.Sprintf("%.0f kB", float64(n)/1000) }

package main

import (
	"context"
	"strconv"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// ways is step 3: the table.
func (t *tour) ways(ctx context.Context, l *lab.Lab) error {
	w, err := t.begin(ctx, l)
	if err != nil {
		return err
	}
	rows := [][]string{{""}}
	for i, trouble := range scenario.Troubles() {
		if rows[0] = append(rows[0], trouble.Name); i == 3 {
			rows[0][i+1] = "fewest, of 2"
		}
	}
	rows[0] = append(rows[0], "refused", "runs")
	for _, way := range scenario.Ways() {
		row, refused, runs := []string{way.Name}, 0, 0
		for i, trouble := range scenario.Troubles() {
			f, err := w.Play(ctx, way, trouble, t.parts)
			if err != nil {
				return err
			}
			alive := f.Most
			if i == 3 {
				alive = f.Fewest
			}
			row, refused, runs = append(row, strconv.Itoa(alive)), refused+f.Refused, runs+f.Runs
		}
		rows = append(rows, append(row, strconv.Itoa(refused), strconv.Itoa(runs)))
	}
	l.Table(rows...)
	l.Conclude("Only the last row is right in every column, and it is three ways at once. A name is refused where others make one " +
		"too many, and does not help with deletions. Expectations, and reads that wait, know what one controller has done, and nothing " +
		"of a second one. With a rank that is the same each time a late run deletes the same ones again.")
	return nil
}

package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// ways is step 2: each way to write, with each change that two may want.
func ways(ctx context.Context, l *lab.Lab) error {
	if err := installBook(ctx, l); err != nil {
		return err
	}
	builtIn, custom := scenario.PodTemplate(), scenario.Process()
	rows := [][]string{{"of a PodTemplate"}}
	for _, c := range builtIn.Changes {
		rows[0] = append(rows[0], c.Name)
	}
	rows[0] = append(rows[0], "of a Process")
	for _, way := range writes.Ways() {
		row := []string{way.Name}
		play := func(s scenario.Subject, c scenario.Change) error {
			over := quietly(l)
			o, err := scenario.Forced(ctx, over, over, s.URL(l.Server.String(), l.Namespace), s, c, way)
			row = append(row, o.String())
			return err
		}
		for _, c := range builtIn.Changes {
			if err := play(builtIn, c); err != nil {
				return err
			}
		}
		if err := play(custom, custom.Changes[0]); err != nil {
			return err
		}
		rows = append(rows, row)
	}
	l.Table(rows...)
	l.Conclude("Only a lock keeps a counter. Without one, what a write holds overwrites, and what it does not hold stays: a " +
		"whole object, a list in a merge patch, one element of it in a strategic merge patch. Apply compares owners and " +
		"no versions: it refuses a value that another has set, and two who set the same value agree.")
	return nil
}

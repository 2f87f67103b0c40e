package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// ways is step 3: what each way does when something happens meanwhile.
func (t *tour) ways(ctx context.Context, l *lab.Lab) error {
	return t.alone(ctx, l, func(w *scenario.World) error {
		head := []string{"meanwhile:"}
		for _, m := range scenario.Meanwhiles() {
			head = append(head, m.Name)
		}
		rows := [][]string{head}
		for _, way := range scenario.Ways() {
			row := []string{way.Name}
			for _, m := range scenario.Meanwhiles() {
				outcome, err := scenario.Try(ctx, w.User, l.Namespace, way, m)
				if err != nil {
					return err
				}
				row = append(row, outcome.String())
			}
			rows = append(rows, row)
		}
		l.Table(rows...)
		l.Conclude("A refusal costs another run, and a lost finalizer costs another controller its clean-up. A patch has to say what " +
			"it was made from: the version, or what it expects to find at a position. This chapter's guard sends the version.")
		return nil
	})
}

package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// annotations is how often rules is annotated.
const annotations = 20

// rest is step 6: much happens, and nothing is to do.
func (t *tour) rest(ctx context.Context, l *lab.Lab) error {
	defer t.control.Stop()
	if err := t.world.Patch(ctx, "home", "rules", read(1)); err != nil {
		return err
	}
	for i := range annotations - 1 {
		if err := t.world.PatchQuietly(ctx, "home", "rules", read(i+2)); err != nil {
			return err
		}
	}
	l.Became("and %d more like it", annotations-1)
	// A change that is to be mirrored comes behind them, on the same watch.
	if err := t.world.Patch(ctx, "home", "rules", scenario.Today("no shouting")); err != nil {
		return err
	}
	if err := t.control.Show(ctx, "PUT east/rules", "PUT south/rules"); err != nil {
		return err
	}
	l.Became("%d annotations and then other data: the controller wrote each mirror once, for the data", annotations)
	l.Say("The files of chapters/09-controller/mirror, in lines without comments and blank ones:")
	root, err := repo.Root()
	if err != nil {
		return err
	}
	files, err := scenario.CountLines(filepath.Join(root, "chapters", "09-controller", "mirror"))
	if err != nil {
		return err
	}
	rows := [][]string{{"", "lines of code"}}
	all := 0
	for _, f := range files {
		rows = append(rows, []string{f.Name, fmt.Sprint(f.Lines)})
		all += f.Lines
	}
	l.Table(append(rows, []string{"all", fmt.Sprint(all)})...)
	l.Conclude("That is the whole controller, without the informers and the queue below it. What is particular to " +
		"mirrors is in three files: desired.go, reconcile.go and handlers.go.")
	return nil
}

func read(times int) string { return fmt.Sprintf(`{"metadata":{"annotations":{"read":"%d"}}}`, times) }

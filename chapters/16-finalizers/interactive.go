package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// follow is -interactive: the controllers work, and the reader applies, looks with ps, and deletes.
func (t *tour) follow(ctx context.Context, l *lab.Lab) error {
	return t.under(ctx, l, scenario.Life{}, func(w *scenario.World, c *running.Controller) error {
		file, err := w.Manifest("shop", 2)
		if err != nil {
			return err
		}
		l.Say("The controllers of Processes and of ProcessSets work. In another terminal, in this folder:")
		kc := l.Alias()
		l.Command("%s apply -f %s", kc, file)
		l.Command("%s get processes,processsets", kc)
		l.Command("ps -ef | grep 'sleep 777'")
		l.Command("%s scale processset shop --replicas=3", kc)
		l.Command("%s delete processset shop", kc)
		l.Say("The logs of what is gone are in %s.", w.Archive)
		return w.Follow(ctx, with)
	})
}

// with is what a Process's status says, and that it is being deleted.
func with(p *v1alpha1.Process) string {
	line := running.Line(p)
	if p.DeletionTimestamp != nil {
		line += fmt.Sprintf(", finalizers %s", strings.Join(slices.Sorted(slices.Values(p.Finalizers)), " "))
	}
	return line
}

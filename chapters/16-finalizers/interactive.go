package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

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
		return shows(ctx, l, w)
	})
}

// shows shows each new status of any Process of the machine, until the reader ends it.
func shows(ctx context.Context, l *lab.Lab, w *scenario.World) error {
	said := map[string]string{}
	for ctx.Err() == nil {
		var all v1alpha1.ProcessList
		err := w.User.List(ctx, &all, client.InNamespace(l.Namespace))
		if err != nil && ctx.Err() == nil {
			return err
		}
		there := map[string]bool{}
		for i := range all.Items {
			p := &all.Items[i]
			there[p.Name] = true
			if line := with(p); line != said[p.Name] {
				l.Became("%s", line)
				said[p.Name] = line
			}
		}
		for name := range said {
			if err == nil && !there[name] {
				l.Became("%s is gone", name)
				delete(said, name)
			}
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return nil
}

// with is what a Process's status says, and that it is being deleted.
func with(p *v1alpha1.Process) string {
	line := running.Line(p)
	if p.DeletionTimestamp != nil {
		line += fmt.Sprintf(", finalizers %s", strings.Join(slices.Sorted(slices.Values(p.Finalizers)), " "))
	}
	return line
}

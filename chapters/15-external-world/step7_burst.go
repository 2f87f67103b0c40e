package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	owning "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// many is how many Processes step 7 creates.
const many = 50

// burst is step 7: many Processes at once.
func (t *tour) burst(ctx context.Context, l *lab.Lab) error {
	return t.under(ctx, l, scenario.Life{}, func(w *scenario.World, c *scenario.Controller) error {
		var first *v1alpha1.Process
		for i := range many {
			p := w.Process(fmt.Sprintf("burst-%02d", i), "true")
			p.Spec.RestartPolicy = v1alpha1.RestartNever
			if err := w.User.Create(ctx, p); err != nil {
				return err
			}
			if i == 0 {
				first = p
			}
		}
		l.Became("%d Processes are created", many)
		mine := []client.ListOption{client.InNamespace(l.Namespace), client.MatchingLabels{kubelet.Label: w.Name}}
		said := 0
		err := owning.Until(ctx, func() bool {
			var all v1alpha1.ProcessList
			done := 0
			if w.User.List(ctx, &all, mine...) != nil {
				return false
			}
			for _, p := range all.Items {
				if p.Status.Phase == v1alpha1.PhaseSucceeded {
					done++
				}
			}
			for ; said < done/10 && said < many/10; said++ {
				l.Became("%d of %d have Succeeded", 10*(said+1), many)
			}
			return done == many
		})
		if err != nil {
			return err
		}
		before := t.counted(l, c, tally{})
		s, err := w.Machine.Look(first.UID)
		if err != nil {
			return err
		}
		l.Say("Now the world is noisy: it tells 1,000 times, a millisecond or more apart, that something is new about the first of them.")
		if err := c.Noise(s.Spec.Run, 1000, time.Millisecond); err != nil {
			return err
		}
		if err := owning.Until(ctx, func() bool { return c.Count(scenario.Quiet) > 0 }); err != nil {
			return err
		}
		t.counted(l, c, before)
		l.Conclude("A status is written when it says something new: that it waits or is started, that it runs, that it has ended. " +
			"World events of one object that come within 100 ms lead to one run, and a run that finds nothing new writes " +
			"nothing.")
		return nil
	})
}

// tally is what a controller has done.
type tally struct{ world, runs, writes int }

// counted shows what a controller has done since then, and returns what it has done in all.
func (t *tour) counted(l *lab.Lab, c *scenario.Controller, since tally) tally {
	now := tally{c.Count(kubelet.EventWorld), c.Count(kubelet.EventRun), c.Count(scenario.Write)}
	l.Table([]string{"world events", "runs", "statuses written"},
		[]string{strconv.Itoa(now.world - since.world), strconv.Itoa(now.runs - since.runs),
			strconv.Itoa(now.writes - since.writes)})
	return now
}

package main

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// full is step 6: a controller that can't write, and then one that can.
func (t *tour) full(ctx context.Context, l *lab.Lab) error {
	return t.under(ctx, l, scenario.Life{FileLimit: 1}, func(w *scenario.World, c *scenario.Controller) error {
		track, err := w.Track(ctx, w.Process("patient", "sleep", "600"), became(l))
		if err != nil {
			return err
		}
		reason := func(p *v1alpha1.Process) string {
			if is := meta.FindStatusCondition(p.Status.Conditions, v1alpha1.ConditionReady); is != nil {
				return is.Message
			}
			return ""
		}
		failed := func(p *v1alpha1.Process) bool {
			is := meta.FindStatusCondition(p.Status.Conditions, v1alpha1.ConditionReady)
			return is != nil && is.Reason == kubelet.ReasonTriedAgain
		}
		if err := track.Until(ctx, failed); err != nil {
			return err
		}
		l.Say("The condition Ready says: %s", reason(track.Now))
		l.Say("There is room again: a controller without the limit takes its place.")
		if err := c.Stop(); err != nil {
			return err
		}
		if _, err := w.Begin(ctx, scenario.Life{}); err != nil {
			return err
		}
		if err := track.In(ctx, v1alpha1.PhaseRunning); err != nil {
			return err
		}
		l.Conclude("What can't be written down is not started: a process of which nobody knows is worse than one that waits. A full disk " +
			"is nobody's mistake in the object, so the start is tried again by itself, and Stalled stays false.")
		return nil
	})
}

package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// run is step 1: a Process, and the process that its controller makes of it.
func (t *tour) run(ctx context.Context, l *lab.Lab) error {
	return t.under(ctx, l, scenario.Life{}, func(w *scenario.World, c *scenario.Controller) error {
		p := w.Process("clock", "sleep", "600")
		l.Say("A Process with the command `sleep 600` is created, with the label %s of this machine:", kubelet.Label)
		track, err := w.Track(ctx, p, became(l))
		if err != nil {
			return err
		}
		if err := track.In(ctx, v1alpha1.PhaseRunning); err != nil {
			return err
		}
		s, err := seen(w, track)
		if err != nil {
			return err
		}
		l.Say("ps has it, its parent, and the parent's parent:")
		family(l, s.Identity.PID, "the command: sleep 600", "its shim", "the controller")
		l.Say("The Process is deleted:")
		if err := w.User.Delete(ctx, p); err != nil {
			return err
		}
		if err := goes(ctx, s.Identity.PID); err != nil {
			return err
		}
		l.Became("ps has no pid %d", s.Identity.PID)
		l.Conclude("The controller starts no command itself. It starts a shim, which is this same program once more, and the shim " +
			"starts the command. The shim is the parent, so it is the shim that learns how the command ends.")
		return nil
	})
}

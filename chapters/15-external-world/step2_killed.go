package main

import (
	"context"
	"syscall"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// killed is step 2: a process is killed from outside, and runs again.
func (t *tour) killed(ctx context.Context, l *lab.Lab) error {
	return t.under(ctx, l, scenario.Life{}, func(w *scenario.World, c *scenario.Controller) error {
		track, err := w.Track(ctx, w.Process("victim", "sleep", "600"), became(l))
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
		l.Command("kill -9 %d", s.Identity.PID)
		if err := w.Machine.Signal(s.Spec.Run, syscall.SIGKILL); err != nil {
			return err
		}
		again := func(p *v1alpha1.Process) bool {
			return p.Status.Phase == v1alpha1.PhaseRunning && p.Status.Restarts == 1
		}
		if err := track.Until(ctx, again); err != nil {
			return err
		}
		l.Conclude("The kill ends the command. Its parent, the shim, hears of that, writes the exit code down, and ends. The shim has a " +
			"file open as long as it lives, and the kernel closes it. The controller waits for that in the background, and asks " +
			"nobody again and again. The exit code is 128 and the signal's number.")
		return nil
	})
}

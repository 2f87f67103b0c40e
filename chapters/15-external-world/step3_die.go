package main

import (
	"context"
	"syscall"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// endsWith3 is a shell that goes on until it is told to end, and then ends with 3.
const endsWith3 = `trap 'exit 3' TERM; while :; do sleep 0.1; done`

// die is step 3: the controller is killed, its process ends, and another controller says how.
func (t *tour) die(ctx context.Context, l *lab.Lab) error {
	return t.under(ctx, l, scenario.Life{}, func(w *scenario.World, c *scenario.Controller) error {
		p := w.Process("orphan", "sh", "-c", endsWith3)
		p.Spec.RestartPolicy = v1alpha1.RestartNever
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
		l.Command("kill -9 %d   # the controller", c.PID)
		if err := c.Kill(); err != nil {
			return err
		}
		family(l, s.Identity.PID, "the command goes on", "its shim goes on")
		l.Say("The process ends with 3, and nobody looks:")
		if err := w.Machine.Signal(s.Spec.Run, syscall.SIGTERM); err != nil {
			return err
		}
		if _, err := w.Machine.Wait(ctx, s.Spec.Run); err != nil {
			return err
		}
		l.Became("the API server still says %s", scenario.Line(track.Now))
		l.Say("Another controller begins:")
		if _, err := w.Begin(ctx, scenario.Life{}); err != nil {
			return err
		}
		if err := track.In(ctx, v1alpha1.PhaseFailed); err != nil {
			return err
		}
		l.Conclude("The shim has written the exit code into the folder of the object's UID. A new controller reads all folders before " +
			"its first run: what runs, what has ended, and what nobody can know any more.")
		return nil
	})
}

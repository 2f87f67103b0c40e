package main

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// halfway is step 4: a clean-up of which one step fails, in a controller that dies.
func (t *tour) halfway(ctx context.Context, l *lab.Lab) error {
	return t.under(ctx, l, scenario.Life{}, func(w *scenario.World, c *running.Controller) error {
		p := w.Process("diary", "sh", "-c", "echo dear diary; exec sleep 600")
		track, seen, err := runs(ctx, w, p, became(l))
		if err != nil {
			return err
		}
		if err := w.Block(); err != nil {
			return err
		}
		l.Say("Where the logs are to be kept is a file and no folder. The Process is deleted:")
		if err := w.User.Delete(ctx, p); err != nil {
			return err
		}
		if err := track.Until(ctx, func(p *v1alpha1.Process) bool {
			c := meta.FindStatusCondition(p.Status.Conditions, deletion.ConditionCleanedUp)
			return c != nil && c.Reason == "KeepLog"
		}); err != nil {
			return err
		}
		cleaned := meta.FindStatusCondition(track.Now.Status.Conditions, deletion.ConditionCleanedUp)
		l.Say("Its condition CleanedUp is %s. The reason is %s, and the message:", cleaned.Status, cleaned.Reason)
		l.Say("%s", strings.ReplaceAll(cleaned.Message, string(w.Archive), "the archive"))
		if _, there := running.PS(seen.Identity.PID); there {
			return fmt.Errorf("pid %d still runs", seen.Identity.PID)
		}
		l.Became("ps has no pid %d; finalizers %v", seen.Identity.PID, track.Now.Finalizers)
		l.Command("kill -9 %d   # the controller", c.PID)
		if err := c.Kill(); err != nil {
			return err
		}
		if err := w.Free(); err != nil {
			return err
		}
		l.Say("The file is taken away, and another controller begins:")
		if _, err := w.Begin(ctx, scenario.Life{}); err != nil {
			return err
		}
		if err := track.Until(ctx, func(*v1alpha1.Process) bool { return track.Gone }); err != nil {
			return err
		}
		log, err := kept(w, track.Now)
		if err != nil {
			return err
		}
		l.Became("diary is gone, and its log is kept: %s", strings.TrimSpace(log))
		l.Conclude("A clean-up is a list of steps, and each run goes through it from the beginning. A step looks whether it is done, and " +
			"does it if it is not. So nobody has to remember how far it came, and a controller may die between any two of them. " +
			"A step that fails says so in a condition, where a person finds it who asks why the object does not go.")
		return nil
	})
}

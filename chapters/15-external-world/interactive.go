package main

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// follow is -interactive: the controller works, and the reader writes with kubectl, looks with ps, and kills.
func (t *tour) follow(ctx context.Context, l *lab.Lab) error {
	return t.under(ctx, l, scenario.Life{}, func(w *scenario.World, c *scenario.Controller) error {
		track, err := w.Track(ctx, w.Process("yours", "sleep", "600"), func(string) {})
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
		l.Say("The controller runs a Process, yours. What its status says is shown here. In another terminal, in this folder:")
		kc := l.Alias()
		l.Command("%s get processes -w", kc)
		l.Say("And in a third one:")
		l.Command("ps -o pid,ppid,stat,args -p %d", s.Identity.PID)
		l.Command("kill %d", s.Identity.PID)
		l.Command("%s patch process yours --type=merge -p '{\"spec\":{\"args\":[\"700\"]}}'", kc)
		l.Command("%s delete process yours", kc)
		l.Say("A Process of yours needs the label %s=%s, or this machine leaves it alone.", kubelet.Label, w.Name)
		return w.Follow(ctx, scenario.Line, client.MatchingLabels{kubelet.Label: w.Name})
	})
}

package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// operations is step 2: a command that ends, and news of a run that is over.
func (r run) operations(ctx context.Context, l *lab.Lab) error {
	yours := newDeferred()
	if missing := yours.missing(); missing != "" {
		l.Say("%s", missing)
	}
	return r.within(ctx, l, kubelet.Pieces{Operations: yours}, func() {}, func(ctx context.Context, p *place) error {
		if err := p.ends(ctx, yours); err != nil {
			return err
		}
		web, err := p.Track(ctx, p.Process("web", "sleep", "60"), p.told)
		if err != nil {
			return err
		}
		if err := p.killed(ctx, web); err != nil {
			return wrong("15.2", "your Operations bring the kubelet what the machine has said, and %v", err)
		}
		return p.late(ctx, yours, web.Now)
	})
}

// ends has a command end by itself.
func (p *place) ends(ctx context.Context, yours *deferred) error {
	job := p.Process("job", "sh", "-c", "exit 3")
	job.Spec.RestartPolicy = v1alpha1.RestartNever
	t, err := p.Track(ctx, job, p.told)
	if err != nil {
		return err
	}
	within, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	err = t.In(within, v1alpha1.PhaseFailed)
	queued, applied := yours.counts()
	if err != nil {
		return wrong("15.2", "job has ended with 3, and its phase should be Failed: %v\nof %d operations that were deferred "+
			"%d were called", err, queued, applied)
	}
	if queued != applied {
		return wrong("15.2", "%d operations were deferred, and your Apply has called %d", queued, applied)
	}
	p.lab.Became("%d operations were deferred, and your Apply has called each once", queued)
	return nil
}

// late defers an operation about a run that is over.
func (p *place) late(ctx context.Context, yours *deferred, web *v1alpha1.Process) error {
	p.lab.Say("Somebody who is late says that attempt 1 of web was lost, and a run comes.")
	_, before := yours.counts()
	first := machine.Run{UID: web.UID, Attempt: 1}
	yours.Queue(p.key("web"), first, func(s *kubelet.State) { s.Seen.State = machine.Lost })
	runs := p.runs.Load()
	patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"late":"news"}}}`))
	if err := p.User.Patch(ctx, p.Process("web", ""), patch); err != nil {
		return err
	}
	if err := p.until(ctx, func() bool { return p.runs.Load() > runs }); err != nil {
		return fmt.Errorf("wait for a run: %w", err)
	}
	_, after := yours.counts()
	if after > before {
		return wrong("15.2", "web has attempt 2, and an operation about attempt 1 should be dropped: your Apply has called it")
	}
	switch {
	case !yours.drops:
		unwritten(p.lab, 3, "15.2", "your Apply has called an operation of attempt 1, and the book has dropped it")
	default:
		p.lab.Conclude("Nobody but a run has changed what the kubelet knows. What the world said waited in your Operations, and what " +
			"was about attempt 1 was dropped: web runs as attempt 2.")
	}
	return nil
}

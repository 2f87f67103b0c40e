package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// follow is -interactive: the controller works, and the reader writes with kubectl.
func (t *tour) follow(ctx context.Context, l *lab.Lab) error {
	o := scenario.Options{Way: ours(), Shown: loud(l, "metadata.name", "metadata.ownerReferences", "status.replicas")}
	return t.under(ctx, l, o, func(w *scenario.World, s *scenario.Site) error {
		set := scenario.Set(l.Namespace, "yours", 2)
		if err := w.User.Create(ctx, set); err != nil {
			return err
		}
		if err := settled(ctx, w, s, set, 2); err != nil {
			return err
		}
		l.Say("The controller works for a ProcessSet, yours. What it writes is shown here. In another terminal, in this folder:")
		kc := l.Alias()
		l.Command("%s get processsets,processes --show-labels", kc)
		l.Command("%s scale processset yours --replicas=3", kc)
		l.Command("%s delete process yours-0", kc)
		l.Command("%s label process yours-1 app=mine --overwrite", kc)
		l.Command("%s label process yours-1 app=yours --overwrite", kc)
		l.Command("%s delete processset yours --cascade=orphan", kc)
		return t.shows(ctx, l, w, set)
	})
}

// shows shows the set's state, whenever it is another one, until the reader ends it.
func (t *tour) shows(ctx context.Context, l *lab.Lab, w *scenario.World, set *v1alpha1.ProcessSet) error {
	said := ""
	for ctx.Err() == nil {
		var is v1alpha1.ProcessSet
		all, err := children(ctx, w, set)
		if err == nil {
			err = client.IgnoreNotFound(w.User.Get(ctx, client.ObjectKeyFromObject(set), &is))
		}
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		now := fmt.Sprintf("yours is gone; Processes: %s", names(all))
		if is.UID != "" {
			now = fmt.Sprintf("yours wants %d; Processes: %s", *is.Spec.Replicas, names(all))
			if ready := meta.FindStatusCondition(is.Status.Conditions, v1alpha1.ConditionReady); ready != nil {
				now += "\n" + ready.Message
			}
		}
		if now != said {
			for line := range strings.Lines(now) {
				l.Became("%s", strings.TrimSpace(line))
			}
			said = now
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return nil
}

package main

import (
	"context"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// first is step 1: whether the object is gone first, or its process.
func (t *tour) first(ctx context.Context, l *lab.Lab) error {
	rows := [][]string{{"", "gone first", "after half a second", "its log"}}
	for _, bare := range []bool{true, false} {
		err := t.under(ctx, l, scenario.Life{Bare: bare}, func(w *scenario.World, _ *running.Controller) error {
			if err := t.probe(ctx, w); err != nil { // for step 5
				return err
			}
			name := map[bool]string{true: "without a finalizer", false: "with a finalizer"}[bare]
			row, err := t.goes(ctx, l, w, strings.ReplaceAll(name, " ", "-"))
			rows = append(rows, append([]string{name}, row...))
			return err
		})
		if err != nil {
			return err
		}
	}
	l.Table(rows...)
	l.Conclude("A finalizer is a name in metadata.finalizers. While one is there, a delete sets the deletionTimestamp and deletes " +
		"nothing. The controller stops the process, keeps its log, and takes its finalizer out; that request deletes the " +
		"object.")
	return nil
}

// goes deletes a Process that takes a second to end, and says how it went.
func (t *tour) goes(ctx context.Context, l *lab.Lab, w *scenario.World, name string) ([]string, error) {
	p := w.Process(name, "sh", "-c", `echo hello; trap 'sleep 1; exit 0' TERM; while :; do sleep 0.05; done`)
	p.Spec.GracePeriodSeconds = ptr.To[int32](5)
	r, err := scenario.NewRecord(ctx, w.User, l.Namespace, &v1alpha1.ProcessList{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	_, seen, err := runs(ctx, w, p, func(string) {})
	if err != nil {
		return nil, err
	}
	l.Say("%s runs as pid %d. It is deleted:", name, seen.Identity.PID)
	if err := w.User.Delete(ctx, p); err != nil {
		return nil, err
	}
	half, err := t.halfASecond(ctx, l, w, p)
	if err != nil {
		return nil, err
	}
	if err := r.Gone(ctx, name); err != nil {
		return nil, err
	}
	_, alive := running.PS(seen.Identity.PID)
	if err := dead(ctx, seen.Identity.PID); err != nil {
		return nil, err
	}
	log, err := kept(w, r.Of(name).Last)
	if err != nil {
		log = "gone"
	}
	log, _, _ = strings.Cut(log, "\n") // the shell may say that its sleep was ended
	return []string{map[bool]string{true: "the object", false: "the process"}[alive], half, log}, nil
}

// halfASecond is what an object says half a second later.
func (t *tour) halfASecond(ctx context.Context, l *lab.Lab, w *scenario.World, p *v1alpha1.Process) (string, error) {
	select {
	case <-time.After(500 * time.Millisecond):
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	var now v1alpha1.Process
	err := w.User.Get(ctx, client.ObjectKeyFromObject(p), &now)
	if apierrors.IsNotFound(err) {
		l.Became("%s: not found", p.Name)
		return "not found", nil
	} else if err != nil {
		return "", err
	}
	l.Became("%s: %s, finalizers %v", p.Name, now.Status.Phase, now.Finalizers)
	return string(now.Status.Phase), nil
}

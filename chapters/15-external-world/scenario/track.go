package scenario

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// Track is a Process as the API server has it, one version after the other.
type Track struct {
	// Now is the version that was seen last.
	Now *v1alpha1.Process
	// Gone is true when the object is no more.
	Gone bool

	over client.WithWatch
	show func(line string)
	said string
}

// Track creates a Process, and shows each new status of it, a line each, while it is waited for.
func (w *World) Track(ctx context.Context, p *v1alpha1.Process, show func(line string)) (*Track, error) {
	err := w.User.Create(ctx, p)
	return &Track{Now: p, over: w.User, show: show}, err
}

// Until waits until a Process is so. No version of it is left out.
func (t *Track) Until(ctx context.Context, so func(p *v1alpha1.Process) bool) error {
	if so(t.Now) {
		return nil
	}
	changes, err := t.over.Watch(ctx, &v1alpha1.ProcessList{}, client.InNamespace(t.Now.Namespace),
		client.MatchingFields{"metadata.name": t.Now.Name},
		&client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: t.Now.ResourceVersion}})
	if err != nil {
		return err
	}
	defer func() {
		changes.Stop()
		for range changes.ResultChan() { // its sender may be about to send
		}
	}()
	for e := range changes.ResultChan() {
		p, ok := e.Object.(*v1alpha1.Process)
		if !ok {
			return fmt.Errorf("the watch of %s: %v", t.Now.Name, e.Object)
		}
		t.Now, t.Gone = p, e.Type == watch.Deleted
		if line := Line(p); line != t.said && !t.Gone {
			t.show(line)
			t.said = line
		}
		if so(p) {
			return nil
		}
		if t.Gone {
			return fmt.Errorf("%s is gone, and it was not so", p.Name)
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("the watch of %s has ended", t.Now.Name)
}

// In waits until a Process is in a phase.
func (t *Track) In(ctx context.Context, phase v1alpha1.Phase) error {
	return t.Until(ctx, func(p *v1alpha1.Process) bool { return p.Status.Phase == phase })
}

// Line is what a status says, in a line.
func Line(p *v1alpha1.Process) string {
	line := string(p.Status.Phase)
	if line == "" {
		line = "no status"
	}
	if p.Status.PID != nil {
		line += fmt.Sprintf(", pid %d", *p.Status.PID)
	}
	if p.Status.ExitCode != nil {
		line += fmt.Sprintf(", exit code %d", *p.Status.ExitCode)
	}
	if p.Status.Restarts > 0 {
		line += fmt.Sprintf(", restarts %d", p.Status.Restarts)
	}
	return p.Name + ": " + line
}

package main

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// The other finalizers of web: the first was there before, and the second comes while the reader's is written.
const (
	backup = "example.com/backup"
	audit  = "example.com/audit"
)

// finalizer is step 1: an object with several finalizers, from its creation to its end.
func (r run) finalizer(ctx context.Context, l *lab.Lab) error {
	audits := func(all []string) []string { return append(all, audit) }
	yours := newProtocol(func(p *place) { _ = p.edit(ctx, "web", audits) })
	if missing := yours.missing(); missing != "" {
		l.Say("%s", missing)
	}
	stands := func(p *place) (reconcile.Reconciler, error) {
		guard, err := p.guard(deletion.Pieces{})
		yours.place, yours.guard = p, guard
		p.kubelet.May = func(client.Object) bool { return true } // or it would not show what is made too early
		return yours, err
	}
	return r.within(ctx, l, stands, func(ctx context.Context, p *place) error {
		web := p.Process("web", "sleep", "60")
		web.Finalizers = []string{backup}
		t, err := p.runs(ctx, web)
		if err != nil {
			return wrong("16.1", "web should run: %v", err)
		}
		if err := p.held(ctx, yours); err != nil {
			return err
		}
		if err := p.freed(ctx, t); err != nil {
			return err
		}
		return p.ends(ctx, yours, t)
	})
}

// edit is what somebody else does to the finalizers of a Process.
func (p *place) edit(ctx context.Context, name string, change func([]string) []string) error {
	for {
		var o v1alpha1.Process
		if err := p.User.Get(ctx, p.at(name), &o); err != nil {
			return err
		}
		o.Finalizers = change(o.Finalizers)
		if err := p.User.Update(ctx, &o); !apierrors.IsConflict(err) {
			return err
		}
	}
}

// held looks at the finalizers of web when it runs.
func (p *place) held(ctx context.Context, yours *protocol) error {
	var web v1alpha1.Process
	if err := p.User.Get(ctx, p.at("web"), &web); err != nil {
		return err
	}
	made := yours.madeWith("web")
	rows := [][]string{{"finalizer of web", "when you called Make", "now"}}
	for _, key := range []string{p.key, backup, audit} {
		rows = append(rows, []string{p.short(key), there(made, key), there(web.Finalizers, key)})
	}
	p.lab.Table(rows...)
	switch {
	case !slices.Contains(made, p.key):
		return wrong("16.1", "web was made, and did not have your key: had it been deleted then, its process "+
			"would be nobody's")
	case !slices.Contains(web.Finalizers, backup):
		return wrong("16.1", "%s was there before, and your Run has taken it out", backup)
	case !slices.Contains(web.Finalizers, audit) && yours.known.locks:
		return wrong("16.1", "somebody has added %s between your Get and your Patch, and it is lost", audit)
	}
	return nil
}

// short has the machine's name, which is another one in each run, left out.
func (p *place) short(key string) string {
	if key == p.key {
		return "yours"
	}
	return key
}

func there(all []string, key string) string {
	if slices.Contains(all, key) {
		return "there"
	}
	return "-"
}

// freed deletes web, and waits until the reader's key is out.
func (p *place) freed(ctx context.Context, t *scenario.Track) error {
	if err := p.delete(ctx, "web"); err != nil {
		return err
	}
	within, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	out := func(o *v1alpha1.Process) bool { return !slices.Contains(o.Finalizers, p.key) }
	if err := t.Until(within, out); err != nil {
		return wrong("16.1", "web is being deleted, and your key should go: %v\nits finalizers are "+
			"%v", err, t.Now.Finalizers)
	}
	seen, err := p.machine.Look(t.Now.UID)
	switch {
	case err != nil:
		return err
	case seen.State != machine.Nothing:
		return wrong("16.1", "your key is out, and the machine is not done with web: its process is %s", seen.State)
	case t.Gone || !slices.Contains(t.Now.Finalizers, backup):
		return wrong("16.1", "%s is somebody else's, and it is gone with your key", backup)
	}
	p.lab.Became("your key is out, the machine has forgotten web, and %s still holds it", backup)
	return nil
}

// ends takes the others' keys out, and looks at the run that comes when web is gone.
func (p *place) ends(ctx context.Context, yours *protocol, t *scenario.Track) error {
	lost := !slices.Contains(t.Now.Finalizers, audit)
	p.lab.Say("Somebody takes the other finalizers out.")
	patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
	if err := p.User.Patch(ctx, p.Process("web", ""), patch); err != nil {
		return err
	}
	if err := p.gone(ctx, t); err != nil {
		return err
	}
	if err := p.until(ctx, func() bool { called, _ := yours.ended("web"); return called }); err != nil {
		return fmt.Errorf("wait for a run after the end of web: %w", err)
	}
	_, failed := yours.ended("web")
	switch {
	case !yours.known.cleans:
		unwritten(p.lab, 2, "16.1", "web was deleted, and the book has cleaned up and taken your key out")
	case failed != nil && !yours.known.forgives:
		unwritten(p.lab, 3, "16.1", fmt.Sprintf("web is gone, and your Run has returned %q", failed))
	case failed != nil:
		return wrong("16.1", "web is gone, and your Run has returned %q", failed)
	case lost:
		unwritten(p.lab, 4, "16.1", fmt.Sprintf("somebody added %s between your Get and your Patch, and it is "+
			"lost", audit))
	default:
		p.lab.Conclude("Your key was there before the process, and went after it. No other finalizer was touched, " +
			"also not the one " +
			"that came between your Get and your Patch: the API server refused that Patch, and the next run sent " +
			"another.")
	}
	return nil
}

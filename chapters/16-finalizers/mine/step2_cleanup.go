package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrlfinalizer "sigs.k8s.io/controller-runtime/pkg/finalizer"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// What the Processes do: web says a last word when it is asked to stop, and deaf does not stop.
const (
	speaks = `exec 2>/dev/null; trap "echo saved; exit 0" TERM; echo began; while :; do sleep 0.05; done`
	deaf   = `trap "" TERM; echo began; while :; do sleep 0.05; done`
)

// cleanup is step 2: what is left of two Processes.
func (r run) cleanup(ctx context.Context, l *lab.Lab) error {
	yours := newCleaner()
	if missing := yours.missing(); missing != "" {
		l.Say("%s", missing)
	}
	stands := func(p *place) (reconcile.Reconciler, error) {
		yours.place = p
		made := func(deletion.Busy, deletion.Machine, deletion.Archive) ctrlfinalizer.Finalizer { return yours }
		guard, err := p.guard(deletion.Pieces{Process: made})
		if err != nil {
			return nil, err
		}
		guard.Next = p.onlyAlive()
		return guard, nil
	}
	return r.within(ctx, l, stands, func(ctx context.Context, p *place) error {
		if done, err := p.speaks(ctx, yours); done || err != nil {
			return err
		}
		return p.deaf(ctx, yours)
	})
}

// onlyAlive is the kubelet, which hears nothing of an object that is being deleted: to stop it is the reader's.
func (p *place) onlyAlive() reconcile.Reconciler {
	return reconcile.Func(func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		var o v1alpha1.Process
		err := p.manager.GetClient().Get(ctx, request.NamespacedName, &o)
		if client.IgnoreNotFound(err) != nil || o.DeletionTimestamp != nil {
			return reconcile.Result{}, client.IgnoreNotFound(err)
		}
		return p.kubelet.Reconcile(ctx, request)
	})
}

// remains are what is left when an object is gone.
type remains struct {
	calls  []string // of the reader's, for it
	log    string   // as the archive has it
	kept   bool     // the archive has one
	folder bool     // the machine has still one
}

// deleted creates a Process, deletes it when it has said its first word, and waits for its end.
func (p *place) deleted(ctx context.Context, yours *cleaner, name, script string, grace int32) (
	left remains, err error) {
	o := p.Process(name, "sh", "-c", script)
	o.Spec.GracePeriodSeconds = &grace
	t, err := p.runs(ctx, o)
	if err != nil {
		return left, err
	}
	began := func() bool { log, err := p.machine.Log(t.Now.UID); return err == nil && strings.Contains(log, "began") }
	if err := p.until(ctx, began); err != nil {
		return left, fmt.Errorf("wait for the first word of %s: %w", name, err)
	}
	if err := p.delete(ctx, name); err != nil {
		return left, err
	}
	err = p.gone(ctx, t)
	left.calls = yours.made(t.Now.UID)
	p.lab.Became("your calls: %s", strings.Join(left.calls, ", "))
	if err != nil {
		return left, wrong("16.2", "%s was deleted, and should go: %v", name, err)
	}
	seen, err := p.machine.Look(t.Now.UID)
	if err != nil {
		return left, err
	}
	left.folder = seen.Spec.Attempt != 0
	left.log, left.kept = yours.kept(t.Now.UID)
	has := strings.Join(strings.Fields(left.log), ", ")
	if has == "" {
		has = "nothing"
	}
	p.lab.Became("the archive has of %s: %s", name, has)
	return left, nil
}

// speaks is web, which is asked to stop. done says that there is no more to be seen.
func (p *place) speaks(ctx context.Context, yours *cleaner) (done bool, err error) {
	left, err := p.deleted(ctx, yours, "web", speaks, 30)
	if err != nil {
		return true, err
	}
	whole := left.log == "began\nsaved\n"
	happened := ""
	switch {
	case !left.kept:
		happened = "the archive had no room at first, and the log of web is lost"
	case left.log == "":
		happened = "Forget had failed halfway, and then the log of web that was kept was replaced by nothing"
	case left.folder:
		happened = "Forget has failed, and web is gone, whose folder is there"
	case left.log == "began\n":
		return true, wrong("16.2", "web has written a last line at its end, and the log was kept before")
	case !whole:
		return true, wrong("16.2", "web has written began and saved, and the archive has %q", left.log)
	}
	switch {
	case happened != "" && !yours.known.fails:
		unwritten(p.lab, 2, "16.2", happened)
		return true, nil
	case happened != "":
		return true, wrong("16.2", "%s", happened)
	case !yours.known.forgives:
		unwritten(p.lab, 3, "16.2", "the process of web ended between Look and Stop, and your Run has called that a failure")
		return true, nil
	}
	return false, nil
}

// deaf is one that does not want to end.
func (p *place) deaf(ctx context.Context, yours *cleaner) error {
	left, err := p.deleted(ctx, yours, "deaf", deaf, 3) // a deletionTimestamp has whole seconds: two are left at least
	switch {
	case err != nil:
		return err
	case left.folder:
		return wrong("16.2", "deaf is gone, and its folder is there")
	case !yours.known.kills:
		unwritten(p.lab, 4, "16.2", "deaf did not end when it was asked to, and the book has killed it")
	case slices.Contains(left.calls, "Kill too early"):
		return wrong("16.2", "deaf had three seconds to end, and your Run has killed it before")
	default:
		p.lab.Conclude("Each step was begun when the one before it was done. What failed was tried again by a later run, which looked at " +
			"the world and not at what was done before. The log outlives the folder, and the object has gone last.")
	}
	return nil
}

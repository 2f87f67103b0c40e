package deletion

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/finalizer"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// Guard is a reconciler that stands before another one, and sees to one finalizer.
//
//   - An object that is Ours gets the finalizer before anything is made for it: what Next makes, Clean will find.
//   - One that is being deleted, or is no longer Ours, goes to Next first, which stops what it has made. When Clean is
//     done too, the finalizer goes, and no other one with it.
//   - An object that is being deleted without the finalizer gets none: the API server would refuse it. Next makes
//     nothing for it.
//
// The cache says whether there is something to write, and the API server what. Both writes have a lock, so that none
// takes back what somebody else has written: a conflict is a failure, and is tried again.
//
// Next reads the object anew, and by then it may be another. So Next is to pass over what is not Ours, and to make
// nothing for an object that does not have the finalizer, or has a deletionTimestamp. A change of the finalizers must
// lead to a run, also of an object that is not Ours and has the finalizer.
type Guard struct {
	Key  string
	Over client.Client // reads from the cache
	Live client.Reader // reads from the API server
	New  func() client.Object
	Ours func(client.Object) bool // all are, unless it is set
	Next reconcile.Reconciler
	// Clean does what is left to do, each time from the beginning. It is done when it returns no error; *Waiting is no
	// failure. What it changes in the object is saved.
	Clean finalizer.Finalizer
}

// Reconcile implements reconcile.Reconciler.
func (g *Guard) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	o := g.New()
	if err := g.Over.Get(ctx, request.NamespacedName, o); apierrors.IsNotFound(err) {
		return g.Next.Reconcile(ctx, request)
	} else if err != nil {
		return reconcile.Result{}, err
	}
	if g.wants(o) && !g.has(o) {
		return reconcile.Result{}, g.hold(ctx, o) // its event leads to the next run
	}
	result, err := g.Next.Reconcile(ctx, request)
	if err != nil || g.wants(o) || !g.has(o) {
		return result, err
	}
	wait, err := g.release(ctx, o)
	if err != nil {
		return reconcile.Result{}, err
	}
	result.RequeueAfter = sooner(result.RequeueAfter, wait)
	return result, nil
}

// wants says whether an object is to have the finalizer.
func (g *Guard) wants(o client.Object) bool {
	return o.GetDeletionTimestamp() == nil && (g.Ours == nil || g.Ours(o))
}

// has says whether it has it.
func (g *Guard) has(o client.Object) bool { return Holds(g.Key, o) }

// Holds says whether an object has a finalizer.
func Holds(key string, o client.Object) bool { return slices.Contains(o.GetFinalizers(), key) }

// hold adds the finalizer. What the cache did not know yet will lead to a run when it does.
func (g *Guard) hold(ctx context.Context, cached client.Object) error {
	o, err := g.read(ctx, cached)
	if o == nil || err != nil || !g.wants(o) || g.has(o) {
		return err
	}
	before := copied(o)
	o.SetFinalizers(append(o.GetFinalizers(), g.Key))
	return g.save(ctx, before, o)
}

// release does what is to be done before the finalizer goes, and takes it out. If something is to be waited for, it
// says how long at most, or 0 if an event will tell.
func (g *Guard) release(ctx context.Context, cached client.Object) (wait time.Duration, err error) {
	o, err := g.read(ctx, cached)
	if o == nil || err != nil || g.wants(o) || !g.has(o) {
		return 0, err
	}
	before := copied(o)
	_, failed := g.Clean.Finalize(ctx, o)
	if failed == nil {
		o.SetFinalizers(slices.DeleteFunc(slices.Clone(o.GetFinalizers()), func(k string) bool { return k == g.Key }))
	}
	err = g.save(ctx, before, o) // a status that says what failed, too
	if w := (*Waiting)(nil); errors.As(failed, &w) {
		return w.After, err
	}
	return 0, errors.Join(failed, err)
}

// read reads an object live. It is nil if it is gone, or if its name is another's by now.
func (g *Guard) read(ctx context.Context, cached client.Object) (client.Object, error) {
	o := g.New()
	err := g.Live.Get(ctx, client.ObjectKeyFromObject(cached), o)
	if apierrors.IsNotFound(err) || err == nil && o.GetUID() != cached.GetUID() {
		return nil, nil
	}
	return o, err
}

// save writes what has changed. To an object that is gone there is nothing to write.
func (g *Guard) save(ctx context.Context, before, after client.Object) error {
	if err := writes.Save(ctx, g.Over, before, after); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("the finalizer %s of %s: %w", g.Key, before.GetName(), err)
	}
	return nil
}

func copied(o client.Object) client.Object { return o.DeepCopyObject().(client.Object) }

// sooner is the shorter of two waits, of which 0 is none.
func sooner(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

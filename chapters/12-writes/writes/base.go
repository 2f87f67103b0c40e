package writes

import (
	"context"
	"errors"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// objectOf is a pointer to a Go type of objects.
type objectOf[T any] interface {
	*T
	client.Object
}

// Base is a reconciler of one kind. It reads the object, has Run change it, and saves what Run has changed. Run itself
// writes nothing to it.
//
// An object that is not there is no failure, and no run. Run gets a copy, whatever the reader hands out, so that it
// may change it as it likes; what it does to the world it writes into the status. What it has changed is saved also
// if it fails: the status may say why. An error of Run or of Save makes the controller call again, later after each
// failure; so does a conflict, by which time the cache will have what somebody else has written. Nothing is tried
// twice in one run. If saving fails, what Run has returned is told as text alone: a TerminalError would keep the save
// from being tried again.
//
// T is a Go type of the client's scheme, and not unstructured.Unstructured, which does not know its kind.
//
// A run may begin from an object that the last one's writes are not in yet. It then decides from the past, as any
// controller does, and the lock refuses what it saves. What it has done to the world, no lock undoes.
//
// What it asks of Run: given an object whose status is saved and whose spec is not, it decides on the same spec. Then a
// program may end between the two requests.
//
// Upstream has no counterpart: a sigs.k8s.io/controller-runtime/pkg/reconcile.ObjectReconciler reads, and does not
// save.
type Base[T any, P objectOf[T]] struct {
	Reader client.Reader
	Writer Writer
	Run    func(ctx context.Context, object P) (reconcile.Result, error)
	// Saves is Save unless it is set.
	Saves func(ctx context.Context, over Writer, before, after client.Object) error
}

// New makes a Base that reads and writes through one client.
func New[T any, P objectOf[T]](over client.Client, run func(context.Context, P) (reconcile.Result, error)) *Base[T, P] {
	return &Base[T, P]{Reader: over, Writer: over, Run: run}
}

// Reconcile implements reconcile.Reconciler.
func (b *Base[T, P]) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var before P = new(T)
	if err := b.Reader.Get(ctx, request.NamespacedName, before); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	after, ok := before.DeepCopyObject().(P)
	if !ok {
		return reconcile.Result{}, reconcile.TerminalError(errors.New("its copy is of another type"))
	}
	result, failed := b.Run(ctx, after)
	save := b.Saves
	if save == nil {
		save = Save
	}
	if err := save(ctx, b.Writer, before, after); err != nil {
		if failed != nil { // as text: what can't succeed is not tried again, and the save is to be
			err = fmt.Errorf("%w; and the run has failed: %v", err, failed)
		}
		return reconcile.Result{}, err
	}
	if failed != nil {
		return reconcile.Result{}, failed
	}
	return result, nil
}

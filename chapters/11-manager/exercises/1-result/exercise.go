// Package result is what a run tells the controller that has called it. The controller sweeps: it deletes ConfigMaps
// whose time is over.
package result

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// A Key is the namespace and the name of a ConfigMap.
type Key = types.NamespacedName

// The annotations of what is swept.
const (
	Until = "sweeper.scratch.example.com/until" // the moment at which its time is over, as in RFC 3339
	After = "sweeper.scratch.example.com/after" // the name of another ConfigMap in its namespace, which has to go first
)

// AskAgain is how long a Keeper that has said yes is left in peace.
const AskAgain = time.Minute

// A Reader reads the cache of an informer. It may lag behind the API server, and all who read get the same objects.
type Reader interface {
	// Get returns a ConfigMap. If there is none, the error is one that apierrors.IsNotFound recognises.
	Get(ctx context.Context, key Key) (*corev1.ConfigMap, error)
}

// A Writer writes to the API server. Its errors are those of client-go's clientset, and may be wrapped. One that says
// that there is nothing to delete names no time.
type Writer interface {
	Delete(ctx context.Context, key Key, preconditions metav1.Preconditions) error
}

// A Keeper is a program elsewhere. Nobody tells when its answer changes. Its errors are its own: none is one of
// controller-runtime's.
type Keeper interface {
	// Needs asks whether it still needs a ConfigMap whose time is over.
	Needs(ctx context.Context, key Key) (bool, error)
}

// A Reconciler sweeps.
type Reconciler struct {
	Reader Reader
	Writer Writer
	Keeper Keeper
}

// Reconcile looks at one ConfigMap, and deletes it if its time is over. It is called by a controller of
// controller-runtime, whose queue does what the Result and the error say. Any change of a ConfigMap, its deletion too,
// brings its key, and the keys of those whose After names it.
//
// What is done. It is the first of these that applies:
//
//  1. There is no such ConfigMap, it has no annotation Until, or it has a deletionTimestamp: nothing.
//  2. Its Until is no moment as in RFC 3339, as time.Parse reads it: nothing. Only a change can mend that.
//  3. Its Until is still to come: nothing, it is too early. At the moment itself it is not.
//  4. Its After, if there is one and it is not empty, names a ConfigMap that is there: nothing, it is too early. Also
//     if that one is being deleted.
//  5. The Keeper needs it: nothing, it is too early.
//  6. It is deleted. The preconditions are the UID and the resourceVersion that were read.
//
// When the key comes again by itself, that is, without a change:
//
//   - At the moment that Until names, if it is too early for that. Not before, and not later.
//   - AskAgain after the Keeper's answer, if the Keeper needs it. Each time.
//   - After a refusal of the deletion with a time, a number of seconds above 0 that apierrors.SuggestsClientDelay
//     finds: when these have passed. It is no failure, however often it happens.
//   - After any other error, of the Reader, the Keeper or the Writer, whichever it is: later after each failure, as the
//     queue's limiter has it. Nobody knows what will pass.
//   - In no other case: not if there is nothing to do, not while a change will bring it, not after a deletion, also if
//     that one found nothing to delete.
//
// What is returned:
//
//   - If Until is no moment, an error that has the annotation's text in its own, as it is or as %q writes it.
//   - If there was a failure, its error, bare or wrapped, so that errors.Is finds it.
//   - In all other cases no error.
//   - With an error, the Result is zero: its times would not count.
//
// How it is done:
//
//   - Reconcile waits for nothing but the Reader, the Writer and the Keeper, and starts nothing that goes on after it.
//     They get ctx, or one that is made from it and ends when it does.
//   - Each call decides from what it reads now, and from nothing else: what was read before may have changed.
//   - It may be called for several keys at one time, and none waits for another.
//   - Nothing that the Reader returns is changed.
func (r Reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	// TODO: look, do what is to be done, and say when to come again
	_ = apierrors.IsNotFound
	return reconcile.Result{}, fmt.Errorf("nobody looks at %s yet", request)
}

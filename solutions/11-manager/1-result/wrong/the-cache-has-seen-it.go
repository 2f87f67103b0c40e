// Misconception: a conflict whose cause the cache has seen by now is no failure.
// Caught by: TestAConflictThatTheCacheShows
// Message: Happened: returned was: nothing
// Removes: marked, remaining, Reconciler.predecessor, Reconciler.ask, preconditions, outcome, unlessGone

//go:build wrong

package result

import (
	"context"
	"fmt"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"time"
)

// Reconcile looks at one ConfigMap, and deletes it if its time is over. It is called by a controller of
// controller-runtime, whose queue does what the Result and the error say. Any change of a ConfigMap, its deletion too,
// brings its key, and the keys of those whose After names it.
//
// What is done. It is the first of these that applies:
//
//  1. There is no such ConfigMap, it has no annotation Until, or it has a deletionTimestamp: nothing.
//  2. Its Until is no moment as in RFC 3339: nothing. Only a change can mend that.
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
//   - If Until is no moment, an error that has the annotation's text in its own, for whoever reads the log.
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
	key := request.NamespacedName
	cm, err := r.Reader.Get(ctx, key)
	if apierrors.IsNotFound(err) {
		return reconcile.Result{}, nil
	}
	if err != nil {
		return reconcile.Result{}, err
	}
	text, ok := cm.Annotations[Until]
	if !ok || cm.DeletionTimestamp != nil {
		return reconcile.Result{}, nil
	}

	until, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return reconcile.Result{}, reconcile.TerminalError(fmt.Errorf("%s: annotation %s is %s: %w", key, Until,
			text, err))
	}
	if wait := time.Until(until); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}

	if after := cm.Annotations[After]; after != "" {
		_, err := r.Reader.Get(ctx, Key{Namespace: key.Namespace, Name: after})
		if err == nil {
			return reconcile.Result{}, nil // its deletion brings this key
		}
		if !apierrors.IsNotFound(err) {
			return reconcile.Result{}, err
		}
	}

	needed, err := r.Keeper.Needs(ctx, key)
	if err != nil {
		return reconcile.Result{}, err
	}
	if needed {
		return reconcile.Result{RequeueAfter: AskAgain}, nil
	}

	uid, version := cm.UID, cm.ResourceVersion
	err = r.Writer.Delete(ctx, key, metav1.Preconditions{UID: &uid, ResourceVersion: &version})
	if err == nil || apierrors.IsNotFound(err) {
		return reconcile.Result{}, nil
	}
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok && seconds > 0 {
		return reconcile.Result{RequeueAfter: time.Duration(seconds) * time.Second}, nil
	}
	if apierrors.IsConflict(err) {
		// If the cache has moved on, then the key is in the queue again already.
		current, lookErr := r.Reader.Get(ctx, key)
		if apierrors.IsNotFound(lookErr) || lookErr == nil && current.ResourceVersion != version {
			return reconcile.Result{}, nil
		}
	}
	return reconcile.Result{}, err
}

package ownedtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
)

const (
	app       = "web"
	slow      = "scratch.example.com/slow" // a finalizer: what has it is in deletion for a while
	strangers = "strangers"
)

var key = client.ObjectKey{Namespace: "default", Name: app}

// Run plays so many operations by a seed to a controller with these parts, until something is wrong, and returns what.
// The last thing that happens is that all is shown and nothing more is done; then the controller has to come to an end.
func Run(t *testing.T, seed uint64, operations int, parts owned.Parts) (problems []string) {
	t.Helper()
	s, err := newServer()
	require.NoError(t, err)
	s.judge = &oracle{server: s}
	l := newLate(s)
	s.after = l.happened
	r := owned.New(l, s, parts)
	l.notes = r.Notes()
	w := &world{t: t, ctx: t.Context(), draw: rand.New(rand.NewPCG(seed, 14)), server: s, late: l, controller: r}
	w.make()
	for range operations {
		w.something()
		w.note()
		if len(s.judge.problems) > 0 {
			return s.judge.problems
		}
	}
	w.end()
	s.judge.right(w.ctx)
	return s.judge.problems
}

// world is one run.
type world struct {
	t          *testing.T
	ctx        context.Context
	draw       *rand.Rand
	server     *server
	late       *late
	controller *owned.Reconciler
	made       int
}

// note has the cache learn that something has happened, and shows none of it.
func (w *world) note() { require.NoError(w.t, w.late.happened(w.ctx)) }

// run is one of the controller. What it returns is its own affair: it is called again anyway.
func (w *world) run() {
	_, err := w.controller.Reconcile(w.ctx, reconcile.Request{NamespacedName: key})
	if err != nil && !errors.Is(err, ErrLost) && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
		w.server.judge.wrong("a run has failed: %v", err)
	}
	w.note()
}

// something does one thing at random.
func (w *world) something() {
	switch w.draw.IntN(16) {
	case 0, 1, 2, 3:
		w.run()
	case 4, 5, 6, 7, 8:
		w.late.next()
	case 9:
		w.scale(w.draw.IntN(6))
	case 10:
		w.kill()
	case 11:
		w.change(func(p *v1alpha1.Process) { p.Labels = map[string]string{"app": w.pick(app, "other")} })
	case 12:
		w.change(func(p *v1alpha1.Process) { controllerutil.AddFinalizer(p, slow) })
	case 13:
		w.release()
	case 14:
		w.server.lose = true
	case 15:
		w.rare()
	}
}

// rare is what happens seldom.
func (w *world) rare() {
	switch w.draw.IntN(6) {
	case 0:
		w.again(w.draw.IntN(2) == 0)
	case 1:
		w.stray(nil)
	case 2:
		w.stray([]metav1.OwnerReference{{APIVersion: v1alpha1.GroupVersion.String(), Kind: "ProcessSet",
			Name: strangers, UID: "of another set", Controller: new(true)}})
	default:
		w.collect()
	}
}

func (w *world) pick(of ...string) string { return of[w.draw.IntN(len(of))] }

// one is a Process at random, or nil.
func (w *world) one() *v1alpha1.Process {
	all, err := w.server.processes(w.ctx)
	require.NoError(w.t, err)
	if len(all) == 0 {
		return nil
	}
	return all[slices.Sorted(maps.Keys(all))[w.draw.IntN(len(all))]]
}

// make makes the set.
func (w *world) make() {
	replicas := int32(3)
	labels := map[string]string{"app": app}
	require.NoError(w.t, w.server.Create(w.ctx, &v1alpha1.ProcessSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name},
		Spec: v1alpha1.ProcessSetSpec{Replicas: &replicas, Selector: labels,
			Template: v1alpha1.ProcessTemplate{Labels: labels, Spec: v1alpha1.ProcessSpec{Command: "sleep"}}}}))
}

func (w *world) scale(to int) {
	set, err := w.server.set(w.ctx)
	require.NoError(w.t, err)
	if set == nil || int(*set.Spec.Replicas) == to {
		return
	}
	*set.Spec.Replicas = int32(to)
	set.Generation++
	require.NoError(w.t, w.server.Update(w.ctx, set))
}

// kill deletes a Process. One with a finalizer is there until release.
func (w *world) kill() {
	if p := w.one(); p != nil {
		require.NoError(w.t, w.server.Delete(w.ctx, p))
	}
}

func (w *world) change(do func(*v1alpha1.Process)) {
	p := w.one()
	if p == nil || p.DeletionTimestamp != nil {
		return
	}
	do(p)
	require.NoError(w.t, w.server.Update(w.ctx, p))
}

// release ends the deletion of a Process.
func (w *world) release() {
	if p := w.one(); p != nil && controllerutil.RemoveFinalizer(p, slow) {
		require.NoError(w.t, w.server.Update(w.ctx, p))
	}
}

// stray makes a Process that matches, and is somebody's or nobody's. It may have the name that comes next.
func (w *world) stray(owners []metav1.OwnerReference) {
	w.made++
	name := fmt.Sprint("stray-", w.made)
	if w.draw.IntN(2) == 0 {
		name = owned.Name(app, w.draw.IntN(40))
	}
	err := w.server.Create(w.ctx, &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: name,
		Labels: map[string]string{"app": app}, OwnerReferences: owners}, Spec: v1alpha1.ProcessSpec{Command: "sleep"}})
	require.NoError(w.t, client.IgnoreAlreadyExists(err))
}

// again deletes the set and makes another one of the name, at once or after what it had was orphaned.
func (w *world) again(orphan bool) {
	set, err := w.server.set(w.ctx)
	require.NoError(w.t, err)
	all, err := w.server.processes(w.ctx)
	require.NoError(w.t, err)
	require.NoError(w.t, w.server.Delete(w.ctx, set))
	w.controller.Forgets().Delete(event.DeleteEvent{Object: set})
	if orphan {
		for _, p := range all {
			if metav1.IsControlledBy(p, set) {
				p.OwnerReferences = nil
				require.NoError(w.t, w.server.Update(w.ctx, p))
			}
		}
	}
	w.make()
}

// collect is the garbage collector: a Process goes whose set is gone.
func (w *world) collect() {
	set, err := w.server.set(w.ctx)
	require.NoError(w.t, err)
	all, err := w.server.processes(w.ctx)
	require.NoError(w.t, err)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		p := all[name]
		if c := metav1.GetControllerOf(p); c != nil && c.Name == app && c.UID != set.UID && p.DeletionTimestamp == nil {
			require.NoError(w.t, w.server.Delete(w.ctx, p))
			w.note()
		}
	}
}

// end lets everything come to an end: no answer is lost, the garbage collector is through, and all is shown, a change
// at a time. A run that changes nothing is the last. A controller that answers each change with another one has no
// end.
func (w *world) end() {
	w.server.lose = false
	w.collect()
	for range 2000 {
		before := w.server.writes
		w.run()
		if !w.late.next() && w.server.writes == before || len(w.server.judge.problems) > 0 {
			return
		}
	}
	w.server.judge.wrong("nobody else changes anything, and after 2000 runs the controller still writes")
}

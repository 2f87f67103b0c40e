package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// expecting is how long the reader's Expectations wait for an event: longer than the step takes.
const expecting = 5 * time.Minute

// sets is a controller of ProcessSets which makes what is missing, and refuses its own third request.
type sets struct {
	cached client.Client
	memory *memory

	lock    sync.Mutex // guards what follows
	next    int        // the number of the next Process: none is used twice
	sent    int
	made    int
	runs    int
	nothing int // the runs that only wrote the status, since expectations were open
	shown   int // the Processes that the cache showed to the last run that looked
}

// watch has a manager run it. Each new Process is told to the reader's Expectations before it leads to a run.
func (s *sets) watch(m manager.Manager) error {
	s.cached, s.memory = m.GetClient(), newMemory(expecting)
	seen := predicate.Funcs{CreateFunc: func(e event.CreateEvent) bool {
		if of := metav1.GetControllerOf(e.Object); of != nil {
			s.memory.observed(e.Object.GetNamespace()+"/"+of.Name, e.Object.GetName())
		}
		return true
	}}
	return builder.ControllerManagedBy(m).Named("sets").For(&v1alpha1.ProcessSet{}).
		Owns(&v1alpha1.Process{}, builder.WithPredicates(seen)).Complete(s)
}

// Reconcile implements reconcile.Reconciler.
func (s *sets) Reconcile(ctx context.Context, r reconcile.Request) (result reconcile.Result, err error) {
	defer func() {
		s.lock.Lock()
		defer s.lock.Unlock()
		s.runs++
	}()
	set := &v1alpha1.ProcessSet{}
	if err := s.cached.Get(ctx, r.NamespacedName, set); err != nil {
		return result, client.IgnoreNotFound(err)
	}
	if set.Status.ObservedGeneration != set.Generation { // the status is written in any case
		set.Status.ObservedGeneration = set.Generation
		if err := s.cached.Status().Update(ctx, set); err != nil {
			return result, err
		}
	}
	if !s.memory.satisfied(r.String()) {
		s.lock.Lock()
		defer s.lock.Unlock()
		s.nothing++
		return result, nil
	}
	var children v1alpha1.ProcessList
	err = s.cached.List(ctx, &children, client.InNamespace(set.Namespace), client.MatchingLabels(set.Spec.Selector))
	if err != nil {
		return result, err
	}
	names := s.names(set, len(children.Items))
	if len(names) == 0 {
		return result, nil
	}
	return result, s.memory.create(&requests{ctx: ctx, s: s, set: set}, r.String(), names...)
}

// names are for the Processes that are missing when the cache shows so many.
func (s *sets) names(set *v1alpha1.ProcessSet, shown int) (names []string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.shown = shown
	for range int(ptr.Deref(set.Spec.Replicas, 1)) - shown {
		names = append(names, fmt.Sprintf("%s-%d", set.Name, s.next))
		s.next++
	}
	return names
}

// count is how far the controller is.
type count struct{ runs, nothing, made, shown int }

func (s *sets) count() count {
	s.lock.Lock()
	defer s.lock.Unlock()
	return count{runs: s.runs, nothing: s.nothing, made: s.made, shown: s.shown}
}

// requests are those of one run.
type requests struct {
	ctx context.Context
	s   *sets
	set *v1alpha1.ProcessSet
}

// Create implements expectations.Client. The third request of all fails.
func (r *requests) Create(_, name string) error {
	r.s.lock.Lock()
	r.s.sent++
	third := r.s.sent == 3
	r.s.lock.Unlock()
	if third {
		return errors.New("the third request fails")
	}
	err := r.s.cached.Create(r.ctx, &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{
		Namespace: r.set.Namespace, Name: name, Labels: r.set.Spec.Template.Labels,
		OwnerReferences: []metav1.OwnerReference{
			*metav1.NewControllerRef(r.set, v1alpha1.GroupVersion.WithKind("ProcessSet"))},
	}, Spec: r.set.Spec.Template.Spec})
	if err == nil {
		r.s.lock.Lock()
		defer r.s.lock.Unlock()
		r.s.made++
	}
	return err
}

// Delete implements expectations.Client. Nothing is deleted here.
func (r *requests) Delete(string, types.UID) error { return errors.New("nothing is to be deleted") }

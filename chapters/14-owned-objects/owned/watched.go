package owned

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// Setup has a manager run the reconciler, or that of the options, which may stand before it.
//
// A set leads to a run when its spec, labels, annotations, finalizers or deletion change, and not when its status does,
// which the run itself has written. A Process leads to one of its set, and an orphan to one of each set that would
// adopt it.
func (r *Reconciler) Setup(m manager.Manager, name string, options controller.Options) error {
	held := predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		return !slices.Equal(e.ObjectOld.GetFinalizers(), e.ObjectNew.GetFinalizers())
	}}
	changes := predicate.Or(predicate.GenerationChangedPredicate{}, predicate.LabelChangedPredicate{},
		predicate.AnnotationChangedPredicate{}, held)
	var runs reconcile.Reconciler = r
	if options.Reconciler != nil {
		runs, options.Reconciler = options.Reconciler, nil
	}
	return builder.ControllerManagedBy(m).Named(name).WithOptions(options).
		For(&v1alpha1.ProcessSet{}, builder.WithPredicates(r.Forgets(), changes)).
		Watches(&v1alpha1.Process{}, handler.EnqueueRequestsFromMapFunc(r.setsOf), builder.WithPredicates(r.Notes())).
		Complete(runs)
}

// setsOf are the sets that look at a Process: the one that controls it, or those that select it.
func (r *Reconciler) setsOf(ctx context.Context, p client.Object) (all []reconcile.Request) {
	if c := metav1.GetControllerOfNoCopy(p); c != nil {
		if c.Kind != Kind.Kind {
			return nil
		}
		return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: p.GetNamespace(), Name: c.Name}}}
	}
	var sets v1alpha1.ProcessSetList
	if err := r.over.List(ctx, &sets, client.InNamespace(p.GetNamespace())); err != nil {
		return nil // the cache is being stopped
	}
	for i := range sets.Items {
		set := &sets.Items[i]
		if labels.SelectorFromSet(set.Spec.Selector).Matches(labels.Set(p.GetLabels())) {
			all = append(all, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(set)})
		}
	}
	return all
}

// Notes tells the memory what the cache has shown. A predicate is asked before the key is added, so that the run which
// an event leads to knows of it. It lets all pass. One that drops events must not stand before it.
func (r *Reconciler) Notes() predicate.Predicate {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool { r.shown(e.Object); return true },
		UpdateFunc: func(e event.UpdateEvent) bool { r.updated(e.ObjectNew); return true },
		DeleteFunc: func(e event.DeleteEvent) bool { r.gone(e.Object); return true },
	}
}

func (r *Reconciler) shown(o client.Object) {
	set, p := controllerOf(o)
	if set == nil {
		return
	}
	r.numbers.Shown(set.UID, set.Name, p.Name)
	if p.DeletionTimestamp != nil {
		r.Memory.Gone(set.UID, p)
	} else {
		r.Memory.Shown(set.UID, p)
	}
}

// updated is also what begins a deletion, if the child has a finalizer. What was adopted has its number from somebody
// else: if it counted, a child whose create was answered by nothing might have a lower one, and would not be found
// again.
func (r *Reconciler) updated(o client.Object) {
	if o.GetDeletionTimestamp() != nil {
		r.gone(o)
	}
}

func (r *Reconciler) gone(o client.Object) {
	if set, p := controllerOf(o); set != nil {
		r.Memory.Gone(set.UID, p)
	}
}

// controllerOf is the reference to the set that controls a Process, or nil.
func controllerOf(o client.Object) (*metav1.OwnerReference, *v1alpha1.Process) {
	p, ok := o.(*v1alpha1.Process)
	if !ok {
		return nil, nil
	}
	set := metav1.GetControllerOfNoCopy(p)
	if set == nil || set.Kind != Kind.Kind {
		return nil, p
	}
	return set, p
}

// Forgets drops what is known of a set that is gone.
func (r *Reconciler) Forgets() predicate.Predicate {
	return predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool {
		r.Memory.Forget(e.Object.GetUID())
		r.numbers.Forget(e.Object.GetUID())
		return true
	}}
}

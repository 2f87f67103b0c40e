// Breaks: An empty name is none, in the label and in the list. Any other is one, and is taken as it is: nobody checks
// it.
// Caught by: TestTheLabelIsNoList
// Message: Happened: they were none
// Removes: line, add, linesOf, namesOf, lineOf, moment, resync

//go:build wrong

package mapping

import (
	"context"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"strings"
)

// New makes the handler of the events of Pods.
func New() handler.EventHandler {
	return handler.Funcs{
		CreateFunc: func(ctx context.Context, e event.CreateEvent, q Queue) {
			pod := asPod(e.Object)
			enqueue(ctx, q, pod, apps(pod))
		},
		DeleteFunc: func(ctx context.Context, e event.DeleteEvent, q Queue) {
			pod := asPod(e.Object)
			enqueue(ctx, q, pod, apps(pod))
		},
		GenericFunc: func(ctx context.Context, e event.GenericEvent, q Queue) {
			pod := asPod(e.Object)
			enqueue(ctx, q, pod, apps(pod))
		},
		UpdateFunc: update,
	}
}

func update(ctx context.Context, e event.UpdateEvent, q Queue) {
	oldPod, newPod := asPod(e.ObjectOld), asPod(e.ObjectNew)
	before, after := apps(oldPod), apps(newPod)
	either := newPod
	if either == nil {
		either = oldPod
	}
	names := before.SymmetricDifference(after)
	if oldPod != nil && newPod != nil &&
		(oldPod.ResourceVersion == newPod.ResourceVersion || linesDiffer(oldPod, newPod)) {
		names = before.Union(after)
	}
	enqueue(ctx, q, either, names)
}

// asPod is nil for all that is no Pod.
func asPod(obj client.Object) *corev1.Pod {
	pod, _ := obj.(*corev1.Pod)
	return pod
}

// apps are the applications in which the Pod counts.
func apps(pod *corev1.Pod) sets.Set[string] {
	names := sets.New[string]()
	if pod == nil {
		return names
	}
	if name := pod.Labels[App]; strings.TrimSpace(name) != "" {
		names.Insert(name)
	}
	for name := range strings.SplitSeq(pod.Annotations[AlsoIn], ",") {
		if name = strings.TrimSpace(name); name != "" {
			names.Insert(name)
		}
	}
	return names
}

// linesDiffer says whether a summary shows the two in different ways.
func linesDiffer(a, b *corev1.Pod) bool {
	return a.UID != b.UID ||
		a.Status.Phase != b.Status.Phase ||
		a.Spec.NodeName != b.Spec.NodeName ||
		!a.DeletionTimestamp.Equal(b.DeletionTimestamp)
}

func enqueue(_ context.Context, q Queue, pod *corev1.Pod, names sets.Set[string]) {
	for name := range names {
		q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: pod.Namespace, Name: name}})
	}
}

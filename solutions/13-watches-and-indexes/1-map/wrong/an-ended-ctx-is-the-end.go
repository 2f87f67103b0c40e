// Breaks: Whether ctx has ended makes no difference.
// Caught by: TestTheContextHasEnded
// Message: Points to: the belief that an ended ctx has to be looked for everywhere. What waits looks for it, and
// nothing waits here
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
	names.Insert(pod.Labels[App])
	for name := range strings.SplitSeq(pod.Annotations[AlsoIn], ",") {
		names.Insert(strings.TrimSpace(name))
	}
	return names.Delete("")
}

// linesDiffer says whether a summary shows the two in different ways.
func linesDiffer(a, b *corev1.Pod) bool {
	return a.UID != b.UID ||
		a.Status.Phase != b.Status.Phase ||
		a.Spec.NodeName != b.Spec.NodeName ||
		!a.DeletionTimestamp.Equal(b.DeletionTimestamp)
}

func enqueue(ctx context.Context, q Queue, pod *corev1.Pod, names sets.Set[string]) {
	for name := range names {
		if ctx.Err() != nil {
			return // the manager stops
		}
		q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: pod.Namespace, Name: name}})
	}
}

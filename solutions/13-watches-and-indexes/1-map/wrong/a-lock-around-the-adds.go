// Breaks: None waits for another, however long the Add of one takes.
// Caught by: TestNoneWaitsForAnother
// Message: Points to: the belief that a lock may be held while somebody else's code runs. That code may call back, and
// may take as long as it likes
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
	"sync"
)

// New makes the handler of the events of Pods.
func New() handler.EventHandler {
	var mu sync.Mutex // several informers may call
	enqueue := func(ctx context.Context, q Queue, pod *corev1.Pod, names sets.Set[string]) {
		mu.Lock()
		defer mu.Unlock()
		enqueue(ctx, q, pod, names)
	}
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
		UpdateFunc: func(ctx context.Context, e event.UpdateEvent, q Queue) {
			pod, names := update(e)
			enqueue(ctx, q, pod, names)
		},
	}
}

// update gives one of the Pods, and the names to which the update leads.
func update(e event.UpdateEvent) (*corev1.Pod, sets.Set[string]) {
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
	return either, names
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

func enqueue(_ context.Context, q Queue, pod *corev1.Pod, names sets.Set[string]) {
	for name := range names {
		q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: pod.Namespace, Name: name}})
	}
}

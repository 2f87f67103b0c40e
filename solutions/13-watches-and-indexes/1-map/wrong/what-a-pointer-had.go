// Breaks: It decides from the event and from nothing else: it keeps nothing of the events before.
// Caught by: TestTheSameObjectAgain
// Message: Points to: the belief that a pointer says what it points to. Whoever has the object may change it
// Removes: mapped, mapped.Update, keysOf
// Base: alt/mapped

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
	"sync/atomic"
)

// New makes the handler of the events of Pods.
func New() handler.EventHandler {
	h := &mapper{}
	return handler.Funcs{
		CreateFunc:  func(_ context.Context, e event.CreateEvent, q Queue) { h.all(e.Object, q) },
		DeleteFunc:  func(_ context.Context, e event.DeleteEvent, q Queue) { h.all(e.Object, q) },
		GenericFunc: func(_ context.Context, e event.GenericEvent, q Queue) { h.all(e.Object, q) },
		UpdateFunc:  func(_ context.Context, e event.UpdateEvent, q Queue) { h.update(e, q) },
	}
}

// A mapper keeps the names of the Pod that it has read last. Objects of the cache never change, and the new object of
// one update is often the old one of the next.
type mapper struct {
	last atomic.Pointer[parsed]
}

type parsed struct {
	pod   *corev1.Pod
	names sets.Set[string] // only read
}

// appsOf returns the names of the applications in which the Pod counts. The caller only reads them.
func (h *mapper) appsOf(pod *corev1.Pod) sets.Set[string] {
	if last := h.last.Load(); last != nil && last.pod == pod {
		return last.names
	}
	names := appsOf(pod)
	h.last.Store(&parsed{pod: pod, names: names})
	return names
}

func (h *mapper) all(obj client.Object, q Queue) {
	if pod := podOf(obj); pod != nil {
		add(q, pod.Namespace, h.appsOf(pod))
	}
}

func (h *mapper) update(e event.UpdateEvent, q Queue) {
	before, after := podOf(e.ObjectOld), podOf(e.ObjectNew)
	switch {
	case before == nil && after == nil:
	case before == nil:
		add(q, after.Namespace, h.appsOf(after))
	case after == nil:
		add(q, before.Namespace, h.appsOf(before))
	case before.ResourceVersion == after.ResourceVersion || !sameLine(before, after):
		add(q, after.Namespace, h.appsOf(before).Union(h.appsOf(after)))
	default:
		add(q, after.Namespace, h.appsOf(before).SymmetricDifference(h.appsOf(after)))
	}
}

// podOf returns the Pod, or nil if obj is none.
func podOf(obj client.Object) *corev1.Pod {
	pod, _ := obj.(*corev1.Pod)
	return pod
}

// appsOf returns the names of the applications in which the Pod counts.
func appsOf(pod *corev1.Pod) sets.Set[string] {
	names := sets.New[string]()
	if pod == nil {
		return names
	}
	if name := pod.Labels[App]; name != "" {
		names.Insert(name)
	}
	for _, name := range strings.Split(pod.Annotations[AlsoIn], ",") {
		if name = strings.TrimSpace(name); name != "" {
			names.Insert(name)
		}
	}
	return names
}

// add adds the keys of the applications.
func add(q Queue, namespace string, names sets.Set[string]) {
	for name := range names {
		q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: namespace, Name: name}})
	}
}

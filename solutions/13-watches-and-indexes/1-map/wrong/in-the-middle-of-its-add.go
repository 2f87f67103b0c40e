// Breaks: It has been added when the method returns.
// Caught by: TestNoneWaitsForAnother
// Message: Points to: the belief that a key whose Add still runs is as good as added. What it was added for came before
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
	"sync"
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

// A mapper keeps which keys are being added at this moment, so that two informers do not add the same one twice at
// once: the queue would merge the two anyway.
type mapper struct {
	adding sync.Map // of inflight
}

// inflight is a key on its way into a queue.
type inflight struct {
	queue Queue
	key   reconcile.Request
}

func (h *mapper) all(obj client.Object, q Queue) {
	if pod := podOf(obj); pod != nil {
		h.add(q, pod.Namespace, appsOf(pod))
	}
}

func (h *mapper) update(e event.UpdateEvent, q Queue) {
	before, after := podOf(e.ObjectOld), podOf(e.ObjectNew)
	switch {
	case before == nil && after == nil:
	case before == nil:
		h.add(q, after.Namespace, appsOf(after))
	case after == nil:
		h.add(q, before.Namespace, appsOf(before))
	case before.ResourceVersion == after.ResourceVersion || !sameLine(before, after):
		h.add(q, after.Namespace, appsOf(before).Union(appsOf(after)))
	default:
		h.add(q, after.Namespace, appsOf(before).SymmetricDifference(appsOf(after)))
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
func (h *mapper) add(q Queue, namespace string, names sets.Set[string]) {
	for name := range names {
		h.addOne(q, reconcile.Request{NamespacedName: types.NamespacedName{Namespace: namespace, Name: name}})
	}
}

func (h *mapper) addOne(q Queue, key reconcile.Request) {
	this := inflight{queue: q, key: key}
	if _, busy := h.adding.LoadOrStore(this, struct{}{}); busy {
		return
	}
	defer h.adding.Delete(this)
	q.Add(key)
}

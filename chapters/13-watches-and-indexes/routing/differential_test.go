package routing_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"pgregory.net/rapid"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
)

// objects draws ConfigMaps that have a few of everything that a handler or a predicate may look at. Values repeat, so
// that two objects often agree in something.
func objects() *rapid.Generator[*corev1.ConfigMap] {
	few := rapid.SampledFrom([]string{"black", "green", "white"})
	some := rapid.MapOfN(few, few, 0, 2)
	return rapid.Custom(func(t *rapid.T) *corev1.ConfigMap {
		o := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
			Namespace: "tea", Name: "cup",
			ResourceVersion: fmt.Sprint(rapid.IntRange(1, 2).Draw(t, "version")),
			Generation:      rapid.Int64Range(0, 2).Draw(t, "generation"),
			Labels:          some.Draw(t, "labels"), Annotations: some.Draw(t, "annotations"),
			OwnerReferences: rapid.SliceOfN(owners(), 0, 3).Draw(t, "owners"),
		}, Data: some.Draw(t, "data")}
		if rapid.Bool().Draw(t, "no labels") {
			o.Labels, o.Annotations = nil, nil
		}
		return o
	})
}

// owners draws references to all kinds of owners, of versions that are served.
func owners() *rapid.Generator[metav1.OwnerReference] {
	kinds := rapid.SampledFrom([][2]string{{v1alpha1.GroupVersion.String(), "Process"}, {later.String(), "Process"},
		{"other.example.com/v1", "Process"}, {"v1", "Process"}, {"v1", "Node"}, {"v1", "ConfigMap"}})
	return rapid.Custom(func(t *rapid.T) metav1.OwnerReference {
		kind := kinds.Draw(t, "kind")
		o := metav1.OwnerReference{APIVersion: kind[0], Kind: kind[1],
			Name: rapid.SampledFrom([]string{"boss", "helper"}).Draw(t, "name")}
		switch rapid.IntRange(0, 2).Draw(t, "controller") {
		case 1:
			o.Controller = ptr.To(false)
		case 2:
			o.Controller = ptr.To(true)
		}
		return o
	})
}

// happening is an event of any type.
type happening struct {
	create  *event.CreateEvent
	update  *event.UpdateEvent
	delete  *event.DeleteEvent
	generic *event.GenericEvent
}

func happenings() *rapid.Generator[happening] {
	return rapid.Custom(func(t *rapid.T) (h happening) {
		object := objects().Draw(t, "object")
		switch rapid.IntRange(0, 4).Draw(t, "type") {
		case 0:
			h.create = &event.CreateEvent{Object: object, IsInInitialList: rapid.Bool().Draw(t, "listed")}
		case 1:
			h.delete = &event.DeleteEvent{Object: object, DeleteStateUnknown: rapid.Bool().Draw(t, "unknown")}
		case 2:
			h.generic = &event.GenericEvent{Object: object}
		default:
			h.update = &event.UpdateEvent{ObjectOld: object, ObjectNew: objects().Draw(t, "new object")}
		}
		return h
	})
}

// handled gives a handler the event.
func (h happening) handled(ctx context.Context, by handler.EventHandler, q routing.Queue) {
	switch {
	case h.create != nil:
		by.Create(ctx, *h.create, q)
	case h.update != nil:
		by.Update(ctx, *h.update, q)
	case h.delete != nil:
		by.Delete(ctx, *h.delete, q)
	case h.generic != nil:
		by.Generic(ctx, *h.generic, q)
	}
}

// passes asks a predicate about it.
func (h happening) passes(p predicate.Predicate) bool {
	switch {
	case h.create != nil:
		return p.Create(*h.create)
	case h.update != nil:
		return p.Update(*h.update)
	case h.delete != nil:
		return p.Delete(*h.delete)
	}
	return p.Generic(*h.generic)
}

// handlers are ours beside upstream's.
func handlers(t *testing.T) map[string][2]handler.EventHandler {
	owner := func(kind client.Object, options ...routing.OwnerOption) handler.EventHandler {
		h, err := routing.Owner(known(), served(), kind, options...)
		require.NoError(t, err)
		return h
	}
	theirs := func(kind client.Object, options ...handler.OwnerOption) handler.EventHandler {
		return handler.EnqueueRequestForOwner(known(), served(), kind, options...)
	}
	twice := func(ctx context.Context, o client.Object) []reconcile.Request {
		return append(named(ctx, o), named(ctx, o)...)
	}
	return map[string][2]handler.EventHandler{
		"object":              {routing.Object(), &handler.EnqueueRequestForObject{}},
		"mapped":              {routing.Mapped(named), handler.EnqueueRequestsFromMapFunc(named)},
		"mapped, twice":       {routing.Mapped(twice), handler.EnqueueRequestsFromMapFunc(twice)},
		"owner":               {owner(&v1alpha1.Process{}), theirs(&v1alpha1.Process{})},
		"owner, no namespace": {owner(&corev1.Node{}), theirs(&corev1.Node{})},
		"controller": {owner(&v1alpha1.Process{}, routing.OnlyController()),
			theirs(&v1alpha1.Process{}, handler.OnlyControllerOwner())},
	}
}

// Whatever happens, the same keys come into the queue, with the same priorities.
func TestHandlersAsUpstreams(t *testing.T) {
	for name, both := range handlers(t) {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				h := happenings().Draw(t, "event")
				var queues [2]plain
				var priorities [2]prioritised
				for i, by := range both {
					h.handled(t.Context(), by, &queues[i])
					h.handled(t.Context(), by, &priorities[i])
				}
				require.Equal(t, sorted(queues[1].all), sorted(queues[0].all))
				require.Equal(t, sorted(priorities[1].all), sorted(priorities[0].all))
			})
		})
	}
}

// predicates draws a predicate of ours and the same of upstream's: one, or one made of others.
func predicates(depth int) *rapid.Generator[[2]predicate.Predicate] {
	one := rapid.SampledFrom([][2]predicate.Predicate{
		{routing.ResourceVersionChanged(), predicate.ResourceVersionChangedPredicate{}},
		{routing.GenerationChanged(), predicate.GenerationChangedPredicate{}},
		{routing.LabelChanged(), predicate.LabelChangedPredicate{}},
		{routing.AnnotationChanged(), predicate.AnnotationChangedPredicate{}},
		{routing.Funcs{}, predicate.Funcs{}},
		{
			routing.Funcs{DeleteFunc: func(e event.DeleteEvent) bool { return e.DeleteStateUnknown }},
			predicate.Funcs{DeleteFunc: func(e event.DeleteEvent) bool { return e.DeleteStateUnknown }},
		},
	})
	if depth == 0 {
		return one
	}
	return rapid.Custom(func(t *rapid.T) [2]predicate.Predicate {
		var ours, theirs []predicate.Predicate
		for _, both := range rapid.SliceOfN(predicates(depth-1), 0, 3).Draw(t, "of") {
			ours, theirs = append(ours, both[0]), append(theirs, both[1])
		}
		switch rapid.IntRange(0, 2).Draw(t, "made") {
		case 0:
			return [2]predicate.Predicate{routing.And(ours...), predicate.And(theirs...)}
		case 1:
			return [2]predicate.Predicate{routing.Or(ours...), predicate.Or(theirs...)}
		}
		both := predicates(depth-1).Draw(t, "not")
		return [2]predicate.Predicate{routing.Not(both[0]), predicate.Not(both[1])}
	})
}

// Whatever happens, the same passes.
func TestPredicatesAsUpstreams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		both, h := predicates(2).Draw(t, "predicate"), happenings().Draw(t, "event")
		require.Equal(t, h.passes(both[1]), h.passes(both[0]))
	})
}

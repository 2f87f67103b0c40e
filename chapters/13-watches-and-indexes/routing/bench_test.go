package routing_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
)

// sink is a queue that takes all and keeps nothing.
type sink struct{ routing.Queue }

// Add implements workqueue.TypedInterface.
func (sink) Add(reconcile.Request) {}

// updates gives a handler one update after another.
func updates(b *testing.B, h handler.EventHandler, e event.UpdateEvent) {
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		h.Update(ctx, e, sink{})
	}
}

// BenchmarkMapped is an update of an object that a hundred others use, before and after.
func BenchmarkMapped(b *testing.B) {
	var keys []reconcile.Request
	for i := range 100 {
		keys = append(keys, key(fmt.Sprint(i)))
	}
	users := func(context.Context, client.Object) []reconcile.Request { return keys }
	e := event.UpdateEvent{ObjectOld: cup("1"), ObjectNew: cup("2")}
	b.Run("impl=ours", func(b *testing.B) { updates(b, routing.Mapped(users), e) })
	b.Run("impl=upstream", func(b *testing.B) { updates(b, handler.EnqueueRequestsFromMapFunc(users), e) })
}

// BenchmarkOwner is an update of an object that has an owner.
func BenchmarkOwner(b *testing.B) {
	reference := metav1.OwnerReference{APIVersion: v1alpha1.GroupVersion.String(), Kind: "Process", Name: "boss",
		Controller: ptr.To(true)}
	e := event.UpdateEvent{ObjectOld: owned(reference), ObjectNew: owned(reference)}
	e.ObjectNew.SetResourceVersion("2")
	ours, err := routing.Owner(known(), served(), &v1alpha1.Process{}, routing.OnlyController())
	require.NoError(b, err)
	b.Run("impl=ours", func(b *testing.B) { updates(b, ours, e) })
	b.Run("impl=upstream", func(b *testing.B) {
		updates(b, handler.EnqueueRequestForOwner(known(), served(), &v1alpha1.Process{},
			handler.OnlyControllerOwner()), e)
	})
}

// many is how many objects there are to look through, and each that is looked for is named by ten of them.
const many, users = 10_000, 10

// filled has the objects in the informer. Object i names, and is labelled with, i/users.
func filled(b *testing.B) *pair {
	b.Helper()
	p := newPair(b)
	for i := range many {
		name := fmt.Sprint(i / users)
		require.NoError(b, p.informer.GetIndexer().Add(&corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Namespace: "tea", Name: fmt.Sprint(i),
				Labels: map[string]string{"names": name}},
			Data: map[string]string{name: "is named"}}))
	}
	return p
}

// BenchmarkLookup finds the ten that name something, among ten thousand.
func BenchmarkLookup(b *testing.B) {
	p := filled(b)
	for _, impl := range []struct {
		name string
		by   reader
	}{{"ours", p.ours}, {"upstream", p.theirs}} {
		b.Run("impl="+impl.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				found(b, impl.by, client.InNamespace("tea"), client.MatchingFields{"names": "7"})
			}
		})
	}
}

// BenchmarkLookupByLabel does so by a label, for which a cache has no index.
func BenchmarkLookupByLabel(b *testing.B) {
	p := filled(b)
	for _, impl := range []struct {
		name string
		by   reader
	}{{"ours", p.ours}, {"upstream", p.theirs}} {
		b.Run("impl="+impl.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				found(b, impl.by, client.InNamespace("tea"), client.MatchingLabels{"names": "7"})
			}
		})
	}
}

// BenchmarkLookupByScan lists all, and looks at each.
func BenchmarkLookupByScan(b *testing.B) {
	p := filled(b)
	for _, impl := range []struct {
		name string
		by   reader
	}{{"ours", p.ours}, {"upstream", p.theirs}} {
		b.Run("impl="+impl.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var list corev1.ConfigMapList
				require.NoError(b, impl.by.List(b.Context(), &list, client.InNamespace("tea")))
				n := 0
				for i := range list.Items {
					if _, ok := list.Items[i].Data["7"]; ok {
						n++
					}
				}
				require.Equal(b, users, n)
			}
		})
	}
}

func found(b *testing.B, by client.Reader, options ...client.ListOption) {
	var list corev1.ConfigMapList
	if err := by.List(b.Context(), &list, options...); err != nil || len(list.Items) != users {
		b.Fatal(len(list.Items), err)
	}
}

// BenchmarkChannel sends from one goroutine, about a hundred keys, to a handler that does nothing.
func BenchmarkChannel(b *testing.B) {
	var all []client.Object
	for i := range 100 {
		o := cup("1")
		o.Name = fmt.Sprint(i)
		all = append(all, o)
	}
	nothing := handler.Funcs{GenericFunc: func(context.Context, event.GenericEvent, routing.Queue) {}}
	run := func(b *testing.B, s source.Source, send func(client.Object)) {
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		require.NoError(b, s.Start(ctx, sink{}))
		i := 0
		b.ReportAllocs()
		for b.Loop() {
			send(all[i%len(all)])
			i++
		}
	}
	b.Run("impl=ours", func(b *testing.B) {
		c := routing.NewChannel(nothing)
		run(b, c, func(o client.Object) { c.Notify(client.ObjectKeyFromObject(o)) })
	})
	b.Run("impl=upstream", func(b *testing.B) {
		events := make(chan event.GenericEvent)
		run(b, source.Channel(events, nothing), func(o client.Object) { events <- event.GenericEvent{Object: o} })
	})
}

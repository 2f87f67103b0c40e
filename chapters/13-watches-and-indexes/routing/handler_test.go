package routing_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
)

// named is a map function: the keys that a cup names, in their order.
func named(_ context.Context, o client.Object) (keys []reconcile.Request) {
	var names []string
	for name := range o.(*corev1.ConfigMap).Data {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		keys = append(keys, key(name))
	}
	return keys
}

// keysOf are the keys that were added.
func keysOf(all []added) (names []string) {
	for _, a := range all {
		names = append(names, a.key.Name)
	}
	return names
}

func TestAMapFunctionIsAskedAboutBoth(t *testing.T) {
	for _, c := range []struct {
		what          string
		before, after *corev1.ConfigMap
		keys          []string
	}{
		{"another", cup("1", "black"), cup("2", "green"), []string{"black", "green"}},
		{"one more", cup("1", "black"), cup("2", "black", "green"), []string{"black", "green"}},
		{"one less", cup("1", "black", "green"), cup("2", "green"), []string{"black", "green"}},
		{"the same", cup("1", "black", "green"), cup("2", "black", "green"), []string{"black", "green"}},
		{"the last", cup("1", "black"), cup("2"), []string{"black"}},
		{"none", cup("1"), cup("2"), nil},
	} {
		var q plain
		routing.Mapped(named).Update(t.Context(), event.UpdateEvent{ObjectOld: c.before, ObjectNew: c.after}, &q)
		require.Equal(t, c.keys, keysOf(q.all), c.what)
	}
}

func TestAKeyIsAddedOnce(t *testing.T) {
	twice := func(context.Context, client.Object) []reconcile.Request {
		return []reconcile.Request{key("black"), key("black"), key("green"), key("black")}
	}
	var q plain
	routing.Mapped(twice).Create(t.Context(), event.CreateEvent{Object: cup("1")}, &q)
	require.Equal(t, []string{"black", "green"}, keysOf(q.all))
}

func TestWhatMayBeNothingNewHasALowPriority(t *testing.T) {
	h := routing.Object()
	for _, c := range []struct {
		what     string
		send     func(routing.Queue)
		priority int
	}{
		{"created", func(q routing.Queue) { h.Create(t.Context(), event.CreateEvent{Object: cup("1")}, q) }, 0},
		{"listed", func(q routing.Queue) {
			h.Create(t.Context(), event.CreateEvent{Object: cup("1"), IsInInitialList: true}, q)
		}, handler.LowPriority},
		{"changed", func(q routing.Queue) {
			h.Update(t.Context(), event.UpdateEvent{ObjectOld: cup("1"), ObjectNew: cup("2")}, q)
		}, 0},
		{"resynced", func(q routing.Queue) {
			h.Update(t.Context(), event.UpdateEvent{ObjectOld: cup("1"), ObjectNew: cup("1")}, q)
		}, handler.LowPriority},
		{"deleted", func(q routing.Queue) { h.Delete(t.Context(), event.DeleteEvent{Object: cup("1")}, q) }, 0},
	} {
		var with prioritised
		c.send(&with)
		require.Equal(t, []added{{key("cup"), c.priority}}, with.all, c.what)
		var without plain
		c.send(&without)
		require.Equal(t, []added{{key("cup"), 0}}, without.all, c.what)
	}
}

func TestWithoutAnObjectThereIsNoKey(t *testing.T) {
	var q plain
	routing.Object().Generic(t.Context(), event.GenericEvent{}, &q)
	routing.Object().Update(t.Context(), event.UpdateEvent{}, &q)
	require.Empty(t, q.all)
}

// owned is a cup with owners.
func owned(by ...metav1.OwnerReference) *corev1.ConfigMap {
	o := cup("1")
	o.OwnerReferences = by
	return o
}

func TestOwners(t *testing.T) {
	process := func(apiVersion, name string, controller *bool) metav1.OwnerReference {
		return metav1.OwnerReference{APIVersion: apiVersion, Kind: "Process", Name: name, Controller: controller}
	}
	ours := v1alpha1.GroupVersion.String()
	o := owned(process(ours, "helper", nil), process(ours, "no", ptr.To(false)), process(ours, "boss", ptr.To(true)),
		process("other.example.com/v1alpha1", "stranger", nil), process("scratch.example.com/v7", "old", nil),
		metav1.OwnerReference{APIVersion: "v1", Kind: "Node", Name: "machine"})
	for _, c := range []struct {
		what    string
		kind    client.Object
		options []routing.OwnerOption
		keys    []reconcile.Request
	}{
		{"every one", &v1alpha1.Process{}, nil, []reconcile.Request{key("helper"), key("no"), key("boss"), key("old")}},
		{"the controller", &v1alpha1.Process{}, []routing.OwnerOption{routing.OnlyController()},
			[]reconcile.Request{key("boss")}},
		{"one that is in no namespace", &corev1.Node{}, nil,
			[]reconcile.Request{{NamespacedName: client.ObjectKey{Name: "machine"}}}},
		{"of a kind that it has none of", &corev1.ConfigMap{}, nil, nil},
	} {
		h, err := routing.Owner(known(), served(), c.kind, c.options...)
		require.NoError(t, err)
		var q plain
		h.Create(t.Context(), event.CreateEvent{Object: o}, &q)
		var keys []reconcile.Request
		for _, a := range q.all {
			keys = append(keys, a.key)
		}
		require.Equal(t, c.keys, keys, c.what)
	}
}

// A reference keeps the version with which it was written. When that is no longer served, upstream's handler has no
// key, not even for the owners that come after it.
func TestAnOwnerOfAVersionThatIsNoLongerServed(t *testing.T) {
	o := owned(metav1.OwnerReference{APIVersion: later.Group + "/v0", Kind: "Process", Name: "old"},
		metav1.OwnerReference{APIVersion: later.String(), Kind: "Process", Name: "new"})
	h, err := routing.Owner(known(), served(), &v1alpha1.Process{})
	require.NoError(t, err)
	var ours, theirs plain
	h.Create(t.Context(), event.CreateEvent{Object: o}, &ours)
	require.Equal(t, []string{"old", "new"}, keysOf(ours.all))
	handler.EnqueueRequestForOwner(known(), served(), &v1alpha1.Process{}).
		Create(t.Context(), event.CreateEvent{Object: o}, &theirs)
	require.Empty(t, theirs.all)
}

func TestAnOwnerOfAnUnknownKind(t *testing.T) {
	_, err := routing.Owner(known(), served(), &corev1.Secret{})
	require.ErrorContains(t, err, "whether the owner is in a namespace")
	_, err = routing.Owner(known(), served(), &metav1.PartialObjectMetadata{})
	require.ErrorContains(t, err, "the kind of the owner")
}

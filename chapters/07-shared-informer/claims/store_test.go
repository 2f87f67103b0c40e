package claims

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// held is what the store has, for a handler to write behind what it was told.
func (i *informed) held() string { return fmt.Sprint(len(i.GetStore().ListKeys())) }

// compares writes down what it is told, and how many objects the store has then.
func (i *informed) compares() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { i.note("add %s, the store has %s", at(o), i.held()) },
		UpdateFunc: func(_, o any) { i.note("update %s, the store has %s", at(o), i.held()) },
		DeleteFunc: func(o any) { i.note("delete %s, the store has %s", at(o), i.held()) },
	}
}

// The store is changed first, then the handler is told: what it reads is at least as new as what it hears of.
//
// covers: S4-22 S4-08
func TestTheStoreComesBeforeTheNotification(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0)
		i.add(t, cache.ResourceEventHandlerFuncs{
			AddFunc: func(o any) { i.note("add %s, stored %s", at(o), has(t, i.GetStore(), "a")) },
			UpdateFunc: func(_, o any) {
				i.note("update %s, stored %s", at(o), has(t, i.GetStore(), "a"))
			},
			DeleteFunc: func(o any) { i.note("delete %s, stored %q", at(o), has(t, i.GetStore(), "a")) },
		})
		stop := run(i.RunWithContext)
		defer stop()
		i.live().Add(cm("a", "11"))
		require.Equal(t, []string{"add a@11, stored 11"}, i.new())
		i.live().Modify(cm("a", "12"))
		require.Equal(t, []string{"update a@12, stored 12"}, i.new())
		i.live().Delete(cm("a", "13"))
		require.Equal(t, []string{`delete a@13, stored ""`}, i.new())
	})
}

// A list replaces the whole store before one handler runs, and so does the next list: then come the tombstones, and
// then the rest. A handler that hears of the first object finds them all.
//
// covers: S4-22
func TestAListIsStoredBeforeItIsTold(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0, cm("a", "1"), cm("b", "2"), cm("c", "3"))
		i.add(t, i.compares())
		stop := run(i.RunWithContext)
		defer stop()
		first := i.new()
		require.NotContains(t, first, "add a@1, the store has 1", "object by object would have been the belief")
		require.ElementsMatch(t, []string{"add a@1, the store has 3", "add b@2, the store has 3",
			"add c@3, the store has 3"}, first)
		i.relist(cm("a", "21"), cm("d", "22"))
		told := i.new()
		require.ElementsMatch(t, []string{"delete tombstone of b@2, the store has 2",
			"delete tombstone of c@3, the store has 2"}, told[:2], "deletions come first")
		require.ElementsMatch(t, []string{"update a@21, the store has 2", "add d@22, the store has 2"}, told[2:])
	})
}

// What gathers in the queue is taken out as one batch and stored in one transaction, and then told one by one. So the
// first notification finds the last change in the store.
//
// covers: S4-22
func TestABatchIsStoredBeforeItIsTold(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0)
		arrived, release := make(chan struct{}), make(chan struct{})
		require.NoError(t, i.AddIndexers(cache.Indexers{"slow": func(o any) ([]string, error) {
			if o.(*corev1.ConfigMap).Name == "slow" {
				close(arrived)
				<-release // so that the next ones have to wait in the queue
			}
			return nil, nil
		}}))
		i.add(t, cache.FilteringResourceEventHandler{
			FilterFunc: func(o any) bool { return o.(*corev1.ConfigMap).Name != "slow" }, Handler: i.compares()})
		stop := run(i.RunWithContext)
		defer stop()
		i.live().Add(cm("slow", "11"))
		<-arrived
		for version, name := range []string{"a", "b", "c"} {
			i.live().Add(cm(name, fmt.Sprint(version+12)))
		}
		require.Empty(t, i.new(), "nothing is told meanwhile")
		close(release)
		require.Equal(t, []string{"add a@12, the store has 4", "add b@13, the store has 4",
			"add c@14, the store has 4"}, i.new())
	})
}

// A handler that is not done yet sees a store that is ahead: the next changes are stored while it works. So an object
// may be gone from the store when a handler hears that it was added.
//
// covers: S4-08
func TestTheStoreMayBeAhead(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0)
		working, release := make(chan struct{}), make(chan struct{})
		i.add(t, cache.ResourceEventHandlerFuncs{
			AddFunc: func(o any) {
				close(working)
				<-release
				i.note("add %s, stored %q", at(o), has(t, i.GetStore(), "a"))
			},
			DeleteFunc: func(o any) { i.note("delete %s", at(o)) },
		})
		stop := run(i.RunWithContext)
		defer stop()
		i.live().Add(cm("a", "11"))
		<-working
		i.live().Delete(cm("a", "12"))
		require.Empty(t, i.new())
		close(release)
		require.Equal(t, []string{`add a@11, stored ""`, "delete a@12"}, i.new())
	})
}

// An object is its namespace and name. One that was deleted and made again while the watch was away is an update, from
// one UID to another, and no handler hears of a deletion. While the watch is there, both events arrive.
//
// covers: B-49
func TestAnotherObjectOfTheSameNameIsAnUpdate(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0, born("a", "1", "u1"))
		i.add(t, i.handler(""))
		stop := run(i.RunWithContext)
		defer stop()
		require.Equal(t, []string{"add a@1(u1)"}, i.new())
		i.live().Delete(born("a", "11", "u1"))
		i.live().Add(born("a", "12", "u2"))
		require.Equal(t, []string{"delete a@11(u1)", "add a@12(u2)"}, i.new())
		i.relist(born("a", "22", "u3"))
		told := i.new()
		require.NotContains(t, told, "delete tombstone of a@12(u2)", "a deletion would have been the belief")
		require.Equal(t, []string{"update a@12(u2) to a@22(u3)"}, told)
	})
}

// A handler that joins an informer that runs is told of each object that the store has, as of a first list, and of
// each change from then on: nothing is missed, and nothing comes twice. That it is "in the initial list" is relative to
// the handler.
//
// covers: S4-08
func TestALateHandlerIsToldOfWhatIsThere(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0, cm("a", "1"))
		stop := run(i.RunWithContext)
		defer stop()
		i.live().Add(cm("b", "11"))
		i.live().Modify(cm("a", "12"))
		require.Empty(t, i.new()) // waits
		i.add(t, cache.ResourceEventHandlerDetailedFuncs{
			AddFunc:    func(o any, isInInitialList bool) { i.note("add %s, initial: %t", at(o), isInInitialList) },
			UpdateFunc: func(_, o any) { i.note("update %s", at(o)) },
		})
		require.ElementsMatch(t, []string{"add a@12, initial: true", "add b@11, initial: true"}, i.new(),
			"the newest state of each, and no update of a")
		i.live().Add(cm("c", "13"))
		i.live().Modify(cm("b", "14"))
		require.Equal(t, []string{"add c@13, initial: false", "update b@14"}, i.new())
	})
}

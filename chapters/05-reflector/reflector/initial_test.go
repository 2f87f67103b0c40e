package reflector_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// opened is a watch that has these events, and stays open after them.
func opened(events ...watch.Event) *watch.FakeWatcher {
	w := watch.NewFakeWithChanSize(len(events)+10, false)
	for _, e := range events {
		w.Action(e.Type, e.Object)
	}
	return w
}

// named is an event of an object.
func named(kind watch.EventType, name string, version int) watch.Event {
	return watch.Event{Type: kind, Object: reflectortest.ConfigMap(name, "", version)}
}

func TestTheInitialStateEndsWithItsBookmark(t *testing.T) {
	into := cache.NewStore(cache.MetaNamespaceKeyFunc)
	w := opened(named(watch.Added, "a", 5), named(watch.Bookmark, "", 6), named(watch.Added, "b", 3),
		named(watch.Added, "c", 4), named("NEW", "d", 4), named(watch.Modified, "a", 7), named(watch.Deleted, "c", 8),
		reflectortest.InitialEnd(9), named(watch.Added, "e", 10))
	version, err := reflector.ReadInitial(t.Context(), w, into)
	require.NoError(t, err)
	require.Equal(t, "9", version)
	keys := into.ListKeys()
	slices.Sort(keys)
	require.Equal(t, []string{"default/a", "default/b"}, keys)
	require.False(t, w.IsStopped())
	require.Len(t, w.ResultChan(), 1, "what follows is left to others")
}

func TestAnInitialStateThatBreaksOffIsAnError(t *testing.T) {
	w := opened(named(watch.Added, "a", 5))
	w.Stop()
	_, err := reflector.ReadInitial(t.Context(), w, cache.NewStore(cache.MetaNamespaceKeyFunc))
	require.ErrorIs(t, err, reflector.ErrEndedEarly)
}

func TestAnErrorEventIsTheErrorOfTheInitialState(t *testing.T) {
	expired := reflectortest.Expired()
	w := opened(named(watch.Added, "a", 5), watch.Event{Type: watch.Error, Object: &expired.ErrStatus})
	_, err := reflector.ReadInitial(t.Context(), w, cache.NewStore(cache.MetaNamespaceKeyFunc))
	require.Equal(t, expired, err)
	require.True(t, w.IsStopped())
}

func TestTheInitialStateIsLeftWithTheContext(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		w := opened(named(watch.Added, "a", 5))
		errs := make(chan error, 1)
		go func() {
			_, err := reflector.ReadInitial(ctx, w, cache.NewStore(cache.MetaNamespaceKeyFunc))
			errs <- err
		}()
		time.Sleep(time.Hour)
		require.Empty(t, errs, "a pause is not the end")
		cancel(errDown)
		synctest.Wait()
		require.Equal(t, errDown, <-errs)
		require.True(t, w.IsStopped())
	})
}

// picky refuses what is called bad.
type picky struct{ cache.Store }

func (p picky) Add(object any) error {
	if key, _ := cache.MetaNamespaceKeyFunc(object); key == "default/bad" {
		return errDown
	}
	return p.Store.Add(object)
}

func TestWhatTheCollectionRefusesIsMissing(t *testing.T) {
	into := picky{cache.NewStore(cache.MetaNamespaceKeyFunc)}
	w := opened(named(watch.Added, "bad", 5), named(watch.Added, "good", 6), reflectortest.InitialEnd(9))
	version, err := reflector.ReadInitial(t.Context(), w, into)
	require.NoError(t, err)
	require.Equal(t, "9", version)
	require.Equal(t, []string{"default/good"}, into.ListKeys())
}

package managed_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/managed"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// A controller whose caches are not filled within two minutes fails, and its manager ends with it, and so does a
// program that returns what Start returns. Chapter 09's controller waits. The error names one of the two kinds, and not
// always the one that does not come: each source waits for all informers that the cache has by then.
func TestAManagerGivesUpAfterTwoMinutes(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		server := newMemory(t)
		hold := scenario.HoldNow(server.server, "namespaces")
		defer hold.Release()
		m, err := managed.New(server.access, &http.Client{Transport: hold}, managed.Options{Group: group})
		require.NoError(t, err)
		began := time.Now()
		stop, ended := start(t, m)
		<-ended
		require.Equal(t, 2*time.Minute, time.Since(began).Truncate(time.Second))
		require.ErrorContains(t, stop(), "timed out waiting for cache to be synced for kind source: *v1.")
	})
}

// An informer that was asked for before the manager began is waited for without a limit, before any controller is
// started. A manager that is told to end meanwhile does not, until that informer has synced. It is busy with asking
// whether it is to end: in a bubble time would stand still. What would have changed that was closed:
// https://github.com/kubernetes-sigs/controller-runtime/pull/3440
func TestAManagerDoesNotEndBeforeItsCaches(t *testing.T) {
	server := newMemory(t)
	hold := scenario.HoldNow(server.server, "configmaps")
	t.Cleanup(hold.Release)
	o := managed.Options{Group: group}
	m, err := manager.New(managed.Over(server.access, hold), managed.ManagerOptions(o))
	require.NoError(t, err)
	require.NoError(t, managed.Setup(m, o))
	require.NoError(t, m.GetFieldIndexer().IndexField(t.Context(), &corev1.ConfigMap{}, "metadata.namespace",
		func(o client.Object) []string { return []string{o.GetNamespace()} }))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.Start(ctx) }()
	cancel()
	select {
	case err := <-ended:
		t.Fatalf("it has ended: %v", err)
	case <-time.After(300 * time.Millisecond): // it would take none of them
	}
	hold.Release()
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(time.Minute):
		t.Fatal("its caches have synced, and a minute later it has not ended")
	}
}

// CacheSyncTimeout is no limit for such an informer: it is a controller's, and no controller has been started.
func TestWhatWasAskedForBeforeHasNoLimit(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		server := newMemory(t)
		hold := scenario.HoldNow(server.server, "configmaps")
		defer hold.Release()
		o := managed.Options{Group: group}
		m, err := manager.New(managed.Over(server.access, hold), managed.ManagerOptions(o))
		require.NoError(t, err)
		require.NoError(t, managed.Setup(m, o))
		_, err = m.GetCache().GetInformer(t.Context(), &corev1.ConfigMap{})
		require.NoError(t, err)
		_, ended := start(t, m)
		pass(time.Hour)
		select {
		case <-ended:
			t.Fatal("two minutes are the limit for a controller, and not for this")
		default:
		}
		hold.Release()
		pass(time.Minute)
	})
}

// A source that asks for its index itself ends with its controller.
func TestAnIndexOfItsOwnSourceEnds(t *testing.T) {
	for _, collection := range []string{"configmaps", "namespaces"} {
		testkit.Bubble(t, func(t *testing.T) {
			server := newMemory(t)
			hold := scenario.HoldNow(server.server, collection)
			defer hold.Release()
			m, err := managed.New(server.access, &http.Client{Transport: hold}, managed.Options{Group: group})
			require.NoError(t, err)
			stop, _ := start(t, m)
			pass(time.Minute)
			require.NoError(t, stop())
		})
	}
}

func TestAGroupIsNeeded(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		server := newMemory(t)
		_, err := managed.New(server.access, &http.Client{Transport: server.server}, managed.Options{})
		require.ErrorContains(t, err, "Options.Group is empty")
	})
}

var errBroken = errors.New("the list is broken")

// broken is a client whose lists fail, after some.
type broken struct {
	client.Client
	lock  sync.Mutex // guards fails
	fails bool
}

func (b *broken) List(ctx context.Context, list client.ObjectList, o ...client.ListOption) error {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.fails {
		return errBroken
	}
	return b.Client.List(ctx, list, o...)
}

// Chapter 09's run asks for the sources of a name, and deletes the mirror if there is none. A list that failed has no
// sources either. That is no answer: nothing is written, and the run has failed.
func TestAReadThatFailsIsNoAnswer(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		server := newMemory(t)
		wire, reader, failed := &writes{next: server.server}, &broken{}, make(chan error, 100)
		o := managed.Options{Group: group, Observe: func(_ mirror.Key, err error) { failed <- err }}
		options := managed.ManagerOptions(o)
		options.NewClient = func(access *rest.Config, options client.Options) (client.Client, error) {
			over, err := client.New(access, options)
			reader.Client = over
			return reader, err
		}
		m, err := manager.New(managed.Over(server.access, wire), options)
		require.NoError(t, err)
		require.NoError(t, managed.Setup(m, o))
		stop, _ := start(t, m)
		server.asks("north", "")
		server.source("soup")
		pass(time.Minute)
		require.Equal(t, []string{"POST north/...: 201"}, wire.take())
		for len(failed) > 0 {
			require.NoError(t, <-failed)
		}
		reader.lock.Lock()
		reader.fails = true
		reader.lock.Unlock()
		server.asks("north", "news")
		pass(time.Minute)
		require.Empty(t, wire.take())
		require.ErrorIs(t, <-failed, errBroken)
		require.NoError(t, stop())
	})
}

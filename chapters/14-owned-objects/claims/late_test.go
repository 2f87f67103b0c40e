package claims

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
)

// late is a client that reads a cache, as a manager's does. The cache can be made to hear no more of one collection.
type late struct {
	client.Client
	t     *testing.T
	cache cache.Cache
	hold  *running.Hold
	live  client.Client // is over the same transport, and reads no cache
	other client.Object // is what the transport sees an update of
	// stores are those of the cache's informers, by the kind that they are of.
	stores map[string]toolscache.Store
}

// late makes one, of the test's namespace, that is up to date as yet with the collections of these objects.
func (s *site) late(collection string, reads ...client.Object) *late {
	s.t.Helper()
	l := &late{t: s.t, hold: running.HoldAtUpdate(s.HTTPClient().Transport, collection),
		other: made(s, s.configMap("other")), stores: map[string]toolscache.Store{}}
	over := &http.Client{Transport: l.hold}
	var err error
	l.cache, err = cache.New(s.access, cache.Options{HTTPClient: over, Scheme: scenario.Known(),
		Mapper: s.user.RESTMapper(), DefaultNamespaces: map[string]cache.Config{s.Namespace: {}},
		NewInformer: func(from toolscache.ListerWatcher, example runtime.Object, resync time.Duration,
			indexers toolscache.Indexers) toolscache.SharedIndexInformer {
			informer := toolscache.NewSharedIndexInformer(from, example, resync, indexers)
			l.stores[fmt.Sprintf("%T", example)] = informer.GetStore()
			return informer
		}})
	require.NoError(s.t, err)
	options := client.Options{HTTPClient: over, Scheme: scenario.Known(), Mapper: s.user.RESTMapper()}
	l.live, err = client.New(s.access, options)
	require.NoError(s.t, err)
	options.Cache = &client.CacheOptions{Reader: l.cache}
	l.Client, err = client.New(s.access, options)
	require.NoError(s.t, err)

	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- l.cache.Start(ctx) }()
	s.t.Cleanup(func() {
		l.hold.Release()
		cancel()
		require.NoError(s.t, <-ended)
	})
	for _, o := range reads {
		_, err := l.cache.GetInformer(s.t.Context(), o)
		require.NoError(s.t, err)
	}
	require.True(s.t, l.cache.WaitForCacheSync(s.t.Context()))
	return l
}

// fallBehind has the cache hear no more of the collection, until it catches up. The transport holds it from the first
// update on that goes through it, whatever that is of.
func (l *late) fallBehind() {
	l.t.Helper()
	require.NoError(l.t, l.live.Update(l.t.Context(), l.other))
}

// catchUp lets all come that was held back.
func (l *late) catchUp() { l.hold.Release() }

// sees returns when the cache shows what is asked for, within a minute. The informer of this kind tells of each change.
func (l *late) sees(kind client.Object, met func() bool) {
	l.t.Helper()
	informer, err := l.cache.GetInformer(l.t.Context(), kind)
	require.NoError(l.t, err)
	changed := make(chan struct{}, 1)
	tell := func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	registration, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { tell() }, UpdateFunc: func(any, any) { tell() }, DeleteFunc: func(any) { tell() }})
	require.NoError(l.t, err)
	defer func() {
		<-registration.HasSyncedChecker().Done() // or a goroutine waits for that, for ever
		require.NoError(l.t, informer.RemoveEventHandler(registration))
	}()
	within, cancel := context.WithTimeout(l.t.Context(), time.Minute)
	defer cancel()
	for !met() {
		select {
		case <-changed:
		case <-within.Done():
			require.FailNow(l.t, "the cache does not show it")
		}
	}
}

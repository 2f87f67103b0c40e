package scripted

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch/listwatchtest"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

// Options say how a script is played.
type Options struct {
	// Seed decides on the writes.
	Seed uint64
	// Script is what the requests meet.
	Script Script
	// Pages has a server that knows pages and no streaming lists: chapter 02's. Chapter 03's is the other way round.
	Pages bool
	// Names is how many objects there can be. By default it is five.
	Names int
	// Busy has more than one write happen in a gap. Many an object is deleted there, and another created under its
	// name.
	Busy bool
	// Moments is how many there are at least. The script alone makes some dozens.
	Moments int
	// BookmarkEvery is the time between two bookmarks. By default it is a minute.
	BookmarkEvery time.Duration
}

// Client is what lives through a script.
type Client struct {
	// Run runs it until ctx ends.
	Run func(ctx context.Context)
	// Has says whether everything up to a version of the collection has arrived, which holds these objects now.
	Has func(version uint64, objects map[string]Object) bool
	// At, if not nil, is called at each moment, before the next write. Nothing else moves until it sleeps or returns.
	At func(m Moment)
	// Asks, if not nil, is called before each request is sent: "LIST", "WATCH", "STREAM".
	Asks func(kind string)
	// End, if not nil, is called when the script has been played and all has arrived, before ctx ends.
	End func()
}

// Moment is a time at which nothing moves: the client has done all that it can do, and waits.
type Moment struct {
	// Number is its ordinal, from 1.
	Number int
	// Fault is what is about to happen to a request, while its client waits for the answer. "" if a watch is open and
	// all that was written has arrived.
	Fault faults.Kind
}

// Object is one of the collection.
type Object struct{ Version, UID string }

// Played is what is left of a script.
type Played struct {
	// Log is what was written down.
	Log string
	// Met says how often a kind of request met a kind of fault, as in "LIST: gone".
	Met map[string]int
}

// World is a server in memory, what stands in front of it, and somebody who writes to it. Nothing in it depends on the
// time that a client takes: one goroutine decides on everything, and does so while nothing moves.
type World struct {
	// Log is where the requests are written down, and what a client adds to them.
	Log *Log
	// Source is client-go's ListerWatcher over HTTP, for the ConfigMaps of a namespace.
	Source cache.ListerWatcher

	t       *testing.T
	options Options
	client  Client
	server  *http.Transport
	proxy   *faults.Proxy
	draw    *rand.Rand // the director's alone, as what follows is
	moments int
	version uint64
	objects map[string]Object
	met     map[string]int

	gaps  chan *gap
	ended chan struct{} // closed when nobody takes gaps any more

	mu       sync.Mutex
	requests int
	next     []faults.Fault // what the proxy does to the request that is on its way to it
	aliases  map[string]string
}

// Play has a client live through a script, in a bubble. The client is built there, and has not begun to run.
func Play(t *testing.T, options Options, build func(w *World) Client) (played Played) {
	t.Helper()
	options.Names = cmp.Or(options.Names, 5)
	testkit.Bubble(t, func(t *testing.T) {
		server, stop := pipe.Serve(handler(options))
		w := &World{Log: &Log{}, t: t, options: options, server: server,
			draw: rand.New(rand.NewPCG(options.Seed, 6)), objects: map[string]Object{}, met: map[string]int{},
			gaps: make(chan *gap), ended: make(chan struct{}), aliases: map[string]string{}}
		w.Source = w.listWatcher()
		w.proxy = faults.New(&url.URL{Scheme: "http", Host: "memory"}, server, w)
		w.proxy.OnFault(w.hold)
		for range options.Names {
			w.write()
		}
		w.client = build(w)
		ctx, cancel := context.WithTimeout(klog.NewContext(t.Context(), logr.Discard()), 100*time.Hour)
		var running sync.WaitGroup
		running.Go(func() { w.client.Run(ctx) })
		w.direct(ctx)
		close(w.ended)
		cancel()
		running.Wait()
		require.NoError(t, w.proxy.Close())
		stop()
		played = Played{w.Log.String(), w.met}
	})
	return played
}

// handler serves ConfigMaps, and ends no watch.
func handler(o Options) http.Handler {
	if o.Pages {
		s := listwatchtest.NewServer()
		if o.BookmarkEvery > 0 {
			s.BookmarkEvery = o.BookmarkEvery
		}
		return s
	}
	endless := apiserver.Options{WatchTimeout: 1000 * time.Hour, BookmarkEvery: o.BookmarkEvery}
	return apiserver.New(storage.New(storage.Options{}), endless, apiserver.ConfigMaps)
}

// listWatcher is client-go's, over HTTP.
func (w *World) listWatcher() cache.ListerWatcher {
	set, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: "http://memory", QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}, &http.Client{Transport: w})
	require.NoError(w.t, err)
	return cache.NewListWatchFromClient(set.CoreV1().RESTClient(), "configmaps", "default", fields.Everything())
}

package scenario

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// Selector selects the writer's ConfigMaps, by a label that they have.
// An event of any other would count for the script.
const Selector = label

const label = "fire"

// Run is what to play.
type Run struct {
	// Server and Transport reach the API server directly.
	Server    *url.URL
	Transport http.RoundTripper
	Namespace string
	// Seed chooses the writes and the random part of the client's delays.
	Seed uint64
	// Script says what goes wrong. The writer goes on until the client made Requests requests, or Faults
	// faults came to pass, or it made Writes writes; 0 is no limit.
	Script                   faults.Script
	Requests, Faults, Writes int
	// Streaming has the client begin with a streaming list.
	Streaming bool
	// RealTime, if set, has the client really wait: so long for a request that brings nothing, and a
	// tenth of it after a first failure. Else a clock of the run's own moves when the client sleeps.
	RealTime time.Duration
	// PageSize is the client's; 3 if 0, so that there are several pages.
	PageSize int
	// Source, if set, is how the client reads, in place of chapter 01's: through the given HTTP client.
	Source func(*http.Client) (listwatch.Source, error)
	// Aloud, if set, wraps the transports over which the client and the writer send, to show what they send.
	Aloud func(http.RoundTripper) http.RoundTripper
	// What follows is called as things happen, if set: Fault before the client sees anything of it, Observe
	// and Changed by the client.
	Fault   func(faults.Record, faults.Fault)
	Observe func(listwatch.State)
	Changed func(watch.EventType, listwatch.Object)
}

// Result is what came of it.
type Result struct {
	faults.Stats
	// Writes, and the Objects that are there in the end.
	Writes, Objects int
	// Waited is the time that the client spent in delays.
	Waited time.Duration
	// Transcript is the requests, the faults and the client's states, a line each: the same in each run
	// of the same seed.
	Transcript string
}

// Play plays the run. The error says which promise did not hold.
func (r Run) Play(ctx context.Context) (*Result, error) {
	proxy := faults.New(r.Server, r.Transport, r.Script)
	defer proxy.Close()
	through := proxy.Client()
	through.Transport = r.aloud(through.Transport)
	path := watch.Path("", "v1", r.Namespace, "configmaps")
	var source listwatch.Source = listwatch.Collection{
		Client: &watch.Client{Server: "http://faults", HTTP: through},
		Path:   path, LabelSelector: Selector,
	}
	if r.Source != nil {
		var err error
		if source, err = r.Source(through); err != nil {
			return nil, err
		}
	}
	w := newWriter(&http.Client{Transport: r.Transport}, r.Server.String()+path, r.Seed)
	if err := w.prepare(ctx); err != nil {
		return nil, err
	}
	w.http = &http.Client{Transport: r.aloud(r.Transport)}
	log := newObserver(proxy)
	client := r.client(source, log, proxy)

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		client.Run(ctx)
	}()
	err := r.fire(ctx, w, log, proxy)
	transcript := log.transcript(proxy) // while all is quiet
	cancel(nil)
	<-done
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, transcript)
	}
	if err := r.compare(context.WithoutCancel(ctx), client.View); err != nil {
		return nil, err
	}
	result := &Result{
		Stats: proxy.Stats(), Writes: w.writes, Objects: len(w.objects), Waited: log.waited, Transcript: transcript,
	}
	if err := w.verify(log.seen); err != nil {
		return result, err
	}
	w.http = &http.Client{Transport: r.Transport}
	return result, w.clear(context.WithoutCancel(ctx))
}

// aloud is a transport that shows what is sent, if the run has one.
func (r Run) aloud(t http.RoundTripper) http.RoundTripper {
	if r.Aloud == nil {
		return t
	}
	return r.Aloud(t)
}

// client makes the client under test.
func (r Run) client(source listwatch.Source, log *observer, proxy *faults.Proxy) *listwatch.Client {
	client := &listwatch.Client{
		Source: source, Streaming: r.Streaming, PageSize: cmp.Or(r.PageSize, 3), Idle: r.RealTime,
		View: &listwatch.View{OnChange: func(t watch.EventType, o listwatch.Object) {
			if r.Changed != nil {
				r.Changed(t, o)
			}
			log.change(t, o)
		}},
		Backoff: &listwatch.Backoff{
			Base: cmp.Or(r.RealTime/10, 800*time.Millisecond), Cap: 30 * time.Second, Reset: 2 * time.Minute,
			Rand: rand.New(rand.NewPCG(r.Seed, 3)).Float64,
		},
		Observe: func(s listwatch.State) {
			log.state(s)
			if r.Observe != nil {
				r.Observe(s)
			}
		},
	}
	stalled := func() {}
	if r.RealTime == 0 {
		c := newClock()
		client.Clock, stalled = c, c.stall
	}
	proxy.OnFault(func(rec faults.Record, f faults.Fault) {
		if r.Fault != nil {
			r.Fault(rec, f)
		}
		if f.Kind == faults.Stall {
			stalled()
		}
	})
	return client
}

// fire writes, and waits after each write until it has come through and all is quiet again.
func (r Run) fire(ctx context.Context, w *writer, log *observer, proxy *faults.Proxy) error {
	through := func() bool { return log.has(w.objects) }
	for {
		wait, cancel := context.WithTimeoutCause(ctx, 2*time.Minute,
			errors.New("two minutes later the client has not seen it"))
		err := proxy.Quiet(wait, through)
		cancel()
		if err != nil {
			return fmt.Errorf("after write %d: %w", w.writes, err)
		}
		log.settled(w)
		if reached(proxy.Requests(), r.Requests) || r.Faults > 0 && reached(proxy.Stats().Total, r.Faults) ||
			reached(w.writes, r.Writes) {
			return nil
		}
		if err := w.write(ctx); err != nil {
			return err
		}
	}
}

// reached tells whether there is a limit and it is reached.
func reached(n, limit int) bool { return limit > 0 && n >= limit }

// compare compares the view with a fresh LIST.
func (r Run) compare(ctx context.Context, view *listwatch.View) error {
	direct := watch.Client{Server: r.Server.String(), HTTP: &http.Client{Transport: r.Transport}}
	list, err := direct.List(ctx, watch.Path("", "v1", r.Namespace, "configmaps"),
		watch.Options{LabelSelector: Selector})
	if err != nil {
		return err
	}
	have := view.Objects()
	for _, item := range list.Items {
		meta, err := watch.MetaOf(item)
		if err != nil {
			return err
		}
		if have[meta.Key()].ResourceVersion != meta.ResourceVersion {
			return fmt.Errorf("%s is at %s, and in the view at %q", meta.Key(), meta.ResourceVersion,
				have[meta.Key()].ResourceVersion)
		}
		delete(have, meta.Key())
	}
	if len(have) > 0 {
		return fmt.Errorf("the view holds %d objects that the server does not: %v", len(have), have)
	}
	return nil
}

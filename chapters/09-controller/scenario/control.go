package scenario

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// Options are what a controller of the demo is told.
type Options struct {
	// Parts makes them over the controller's client. By default they are the book's.
	Parts func(kubernetes.Interface) mirror.Parts
	// Over wraps the transport.
	Over func(http.RoundTripper) http.RoundTripper
	// Observe hears of each run.
	Observe func(mirror.Key, error)
}

// Control is a controller that runs.
type Control struct {
	*Ledger
	world *World
	runs  atomic.Int64
	since int // the moment in the ledger since which nothing has been shown
	stop  func() error
}

// Start starts a controller. Stop it, also when ctx ends before.
func (w *World) Start(ctx context.Context, options Options) (*Control, error) {
	c := &Control{world: w, Ledger: &Ledger{world: w, next: w.lab.HTTPClient().Transport}}
	var transport http.RoundTripper = c.Ledger
	if options.Over != nil {
		transport = options.Over(transport)
	}
	client, err := w.Client(&http.Client{Transport: transport})
	if err != nil {
		return nil, err
	}
	parts := mirror.Book()
	if options.Parts != nil {
		parts = options.Parts(client)
	}
	controller, err := mirror.New(client, mirror.Options{Group: w.Group, Parts: parts,
		Report: func(mirror.Key, error) {}, Observe: func(place mirror.Key, err error) {
			c.runs.Add(1)
			if options.Observe != nil {
				options.Observe(place, err)
			}
		}})
	if err != nil {
		return nil, err
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- controller.Run(running) }()
	c.stop = sync.OnceValue(func() error { cancel(); return <-ended })
	return c, nil
}

// Stop stops it, and returns when it has ended. If its caches have not been filled, that is no error here.
func (c *Control) Stop() { _ = c.stop() }

// Runs is how many there have been.
func (c *Control) Runs() int { return int(c.runs.Load()) }

// Show waits until the controller has made these writes, as in "POST north/menu", and shows all that it has made since
// the last time.
func (c *Control) Show(ctx context.Context, wanted ...string) error {
	if err := Until(ctx, func() bool { return c.have(c.since, wanted) }); err != nil {
		return fmt.Errorf("the controller was to write %v: %w", wanted, err)
	}
	c.Rest()
	return nil
}

// Await is Show, and shows nothing.
func (c *Control) Await(ctx context.Context, wanted ...string) error {
	return Until(ctx, func() bool { return c.have(c.since, wanted) })
}

// Skip has nothing shown of what it has written so far.
func (c *Control) Skip() { _, c.since = c.Writes(c.since) }

// Rest shows what the controller has written since the last time.
func (c *Control) Rest() {
	writes, now := c.Writes(c.since)
	c.since = now
	for _, e := range writes {
		c.world.lab.Sent("controller: %s", strings.TrimSpace(fmt.Sprintf("%-6s %-12s %d %s  %s", e.Method, e.Place,
			e.Code, http.StatusText(e.Code), e.Body)))
	}
}

// Until waits for something to be so, and looks often.
func Until(ctx context.Context, so func() bool) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !so() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// Wrote says whether there is a write that has not been shown.
func (c *Control) Wrote() bool {
	writes, _ := c.Writes(c.since)
	return len(writes) > 0
}

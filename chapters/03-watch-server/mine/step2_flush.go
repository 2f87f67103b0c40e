package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/exercises/2-flush"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// moreLoop is where a reader whose Serve fails goes next.
const moreLoop = "make grade EX=03.2 says more"

// burst is how many events wait together, and fewFlushes how many flushes they may cost, the header's included.
const burst, fewFlushes = 30, 6

// stream has the reader's Serve send the API server's events to chapter 01's client.
func stream(ctx context.Context, l *lab.Lab) error {
	t := newTeas(l)
	version, err := t.now(ctx)
	if err != nil {
		return err
	}
	source, err := t.client.Watch(ctx, t.path, selected(version))
	if err != nil {
		return err
	}
	defer source.Close()
	relay, err := newRelay()
	if err != nil {
		return err
	}
	defer relay.stop()
	if err := relay.oneByOne(ctx, t, source); err != nil {
		return err
	}
	if err := relay.together(ctx, t, source); err != nil {
		return err
	}
	l.Conclude("Each event was with the client before the next was written, and %d that waited together cost few flushes.",
		burst)
	return nil
}

// line is an event as the API server sent it.
func line(source *watch.Stream) (string, error) {
	event, err := source.Next()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(`{"type":%q,"object":%s}`, event.Type, event.Object), nil
}

// relay is an HTTP server with the reader's Serve as its handler.
type relay struct {
	client *watch.Client
	stop   func()

	events  chan string // of the request that comes next
	flushes atomic.Int64
	ended   chan error // what Serve returned
}

func newRelay() (*relay, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{}
	r := &relay{ended: make(chan error, 1),
		client: &watch.Client{Server: "http://" + listener.Addr().String(), HTTP: &http.Client{Transport: transport}}}
	server := &http.Server{Handler: r}
	var served sync.WaitGroup
	served.Go(func() { _ = server.Serve(listener) })
	r.stop = func() {
		transport.CloseIdleConnections()
		_ = server.Close()
		served.Wait()
	}
	return r, nil
}

// ServeHTTP implements http.Handler.
func (r *relay) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.ended <- flush.Serve(request.Context(), &counting{w, &r.flushes}, r.events)
}

// counting is a response that counts its flushes.
type counting struct {
	http.ResponseWriter
	flushes *atomic.Int64
}

// Flush implements http.Flusher.
func (c *counting) Flush() {
	c.flushes.Add(1)
	c.ResponseWriter.(http.Flusher).Flush()
}

// open opens a watch of what is in events.
func (r *relay) open(ctx context.Context, events chan string) (*watch.Stream, error) {
	r.events = events
	r.flushes.Store(0)
	stream, late, err := within(ctx, func() (*watch.Stream, error) {
		return r.client.Watch(ctx, "/teas", watch.Options{})
	})
	switch {
	case late:
		return nil, fmt.Errorf("%v after the request the client has no header from your Serve: %s", patience, moreLoop)
	case err != nil:
		return nil, fmt.Errorf("the client, of the answer of your Serve: %v: %s", err, moreLoop)
	}
	return stream, nil
}

// oneByOne gives Serve an event at a time, and then the client goes.
func (r *relay) oneByOne(ctx context.Context, t *teas, source *watch.Stream) error {
	watching, leave := context.WithCancel(ctx)
	defer leave()
	events := make(chan string, burst)
	stream, err := r.open(watching, events)
	if err != nil {
		return err
	}
	defer stream.Close()
	t.lab.Became("the client has the header, and nothing has been written yet")
	for _, name := range []string{"oolong", "sencha", "assam"} {
		if err := t.create(ctx, t.lab.Aloud(t.lab.HTTPClient()), name, "tea"); err != nil {
			return err
		}
		l, err := line(source)
		if err != nil {
			return err
		}
		events <- l
		event, late, err := within(ctx, stream.Next)
		switch {
		case late:
			return fmt.Errorf("%v after the event of %s nothing has come to the client: %s", patience, name, moreLoop)
		case err != nil:
			return fmt.Errorf("after the event of %s the client's stream ended: %v: %s", name, err, moreLoop)
		}
		meta, err := event.Meta()
		if err != nil {
			return fmt.Errorf("the event of %s, as it came to the client: %v: %s", name, err, moreLoop)
		}
		if meta.Name != name {
			return fmt.Errorf("the event of %s was sent, and one of %q came to the client: %s", name, meta.Name, moreLoop)
		}
		t.lab.Changed(string(event.Type), "%s, with the client", name)
	}
	leave()
	return r.over(ctx, "the client has gone")
}

// over waits until Serve has returned.
func (r *relay) over(ctx context.Context, after string) error {
	_, late, err := within(ctx, func() (struct{}, error) { return struct{}{}, <-r.ended })
	switch {
	case late:
		return fmt.Errorf("%s, and %v later your Serve has not returned: %s", after, patience, moreLoop)
	case err != nil:
		return fmt.Errorf("%s, and your Serve returned %v, where nil is due: %s", after, err, moreLoop)
	}
	return nil
}

// together has many events wait before Serve begins.
func (r *relay) together(ctx context.Context, t *teas, source *watch.Stream) error {
	events := make(chan string, burst)
	for i := range burst {
		if err := t.pour(ctx, t.lab.HTTPClient(), "oolong", i+1); err != nil {
			return err
		}
		l, err := line(source)
		if err != nil {
			return err
		}
		events <- l
	}
	close(events)
	stream, err := r.open(ctx, events)
	if err != nil {
		return err
	}
	defer stream.Close()
	got, late, err := within(ctx, func() (n int, err error) {
		for ; err == nil; n++ {
			_, err = stream.Next()
		}
		return n - 1, unlessEnd(err)
	})
	switch {
	case late:
		return fmt.Errorf("%d events waited, the server's end after them, and %v later the client's stream goes on: %s",
			burst, patience, moreLoop)
	case err != nil:
		return fmt.Errorf("%d events waited, and after %d the client's stream broke: %v: %s", burst, got, err, moreLoop)
	case got != burst:
		return fmt.Errorf("%d events waited, and %d came to the client: %s", burst, got, moreLoop)
	}
	if err := r.over(ctx, "the events are at their end"); err != nil {
		return err
	}
	flushes := r.flushes.Load()
	t.lab.Became("%d events of oolong waited together: flushes, with the header's: %d", burst, flushes)
	if flushes > fewFlushes {
		return fmt.Errorf("%d events waited together, and your Serve flushed %d times: %s", burst, flushes, moreLoop)
	}
	return nil
}

// unlessEnd is the error of a stream that did not end in good order.
func unlessEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

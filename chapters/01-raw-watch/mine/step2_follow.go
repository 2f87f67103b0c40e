package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/2-follow"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// moreFollow is where a reader whose Follow fails goes next.
const moreFollow = "make grade EX=01.2 says more"

// follows has the reader's Follow open three watches. The first one is still open while the others end.
func follows(ctx context.Context, l *lab.Lab) error {
	c := newCollection(l)
	following, stop := context.WithCancel(ctx)
	defer stop()
	w, open, err := c.followed(following, "?watch=true&labelSelector=drink&fieldSelector=metadata.name%3Dgreen")
	if err != nil {
		return fmt.Errorf("your Follow: %v: %s", err, moreFollow)
	}
	if err := c.passesOn(ctx, w); err != nil {
		return err
	}
	err = c.endedThere(ctx)
	if err == nil {
		l.Conclude("Your Follow passed on each event, and closed what the server had ended.")
		err = c.refused(ctx)
	}
	if err == nil {
		stop()
		err = c.endedHere(ctx, w, open)
	}
	return concludes(l, err, "Your Follow said of each watch why it ended, and closed each body.")
}

// followed has the reader's Follow open a watch of its own, and counts the bodies that it leaves open.
func (c *collection) followed(ctx context.Context, query string) (*follow.Watch, *bodies, error) {
	open := &bodies{next: c.lab.HTTPClient().Transport, changed: make(chan struct{})}
	w, err := follow.Follow(ctx, &http.Client{Transport: c.lab.AloudTransport(open)}, c.url(query))
	return w, open, err
}

// passesOn writes, and waits for the event after each write. It needs stage 1.
func (c *collection) passesOn(ctx context.Context, w *follow.Watch) error {
	for _, write := range []write{create("green", object{"cups": "1"}),
		patch("green", object{"data": object{"cups": "2"}}), remove("green")} {
		if err := c.do(ctx, write); err != nil {
			return err
		}
		event, open, err := receive(ctx, w)
		switch {
		case errors.Is(err, errLate):
			return fmt.Errorf("%v after the %v nothing has come from Events: %s", patience, write, moreFollow)
		case err != nil:
			return err
		case !open:
			return fmt.Errorf("after the %v Events is closed, and Err is %v: %s", write, w.Err(), moreFollow)
		case event.Type != write.event:
			return fmt.Errorf("after the %v a %s came from Events: %s", write, event.Type, moreFollow)
		}
		c.lab.Changed(event.Type, "%s", write.name)
	}
	return nil
}

// endedThere is a watch that the server ends. That it is closed then needs stage 1, and that Err says so stage 2.
func (c *collection) endedThere(ctx context.Context) error {
	w, open, err := c.followed(ctx, "?watch=true&labelSelector=drink&timeoutSeconds=1")
	if err != nil {
		return fmt.Errorf("your Follow: %v: %s", err, moreFollow)
	}
	err = over(ctx, w)
	switch {
	case errors.Is(err, errLate):
		return fmt.Errorf("%v after the end of the watch your Events is open: %s", patience, moreFollow)
	case err != nil:
		return err
	}
	if n := open.left(ctx); n != 0 {
		return fmt.Errorf("the watch is over, and your Follow left %d body open: %s", n, moreFollow)
	}
	if w.Err() != nil {
		return &later{"01.2", 2, fmt.Sprintf("the server ended the watch, and your Err returned %v, where nil is due",
			w.Err())}
	}
	c.lab.Became("the server ended the watch: Events is closed, and Err is nil")
	return nil
}

// refused is a watch with a parameter that needs another one beside it. It needs stage 2.
func (c *collection) refused(ctx context.Context) error {
	following, stop := context.WithCancel(ctx)
	defer stop()
	w, open, err := c.followed(following, "?watch=true&sendInitialEvents=false")
	var status *follow.StatusError
	if !errors.As(err, &status) {
		got := fmt.Sprintf("the error %v", err)
		if w != nil && err == nil {
			got = "a Watch"
		}
		return &later{"01.2", 2, fmt.Sprintf("the server refused a watch, and your Follow returned %s, "+
			"where a *StatusError is due", got)}
	}
	if n := open.left(ctx); n != 0 {
		return &later{"01.2", 2, fmt.Sprintf("the server refused a watch, and your Follow left %d body open", n)}
	}
	c.lab.Became("refused: %d %s", status.Code, status.Reason)
	return nil
}

// endedHere is about a watch whose context has ended. It needs stage 3.
func (c *collection) endedHere(ctx context.Context, w *follow.Watch, open *bodies) error {
	err := over(ctx, w)
	switch {
	case errors.Is(err, errLate):
		return &later{"01.2", 3, fmt.Sprintf("%v after the end of the context your Events is open", patience)}
	case err != nil:
		return err
	case !errors.Is(w.Err(), context.Canceled):
		return &later{"01.2", 3, fmt.Sprintf("the context was cancelled, and your Err returned %v", w.Err())}
	}
	if n := open.left(ctx); n != 0 {
		return &later{"01.2", 3, fmt.Sprintf("the context was cancelled, and your Follow left %d body open", n)}
	}
	c.lab.Became("the context was cancelled: Events is closed, and Err is %v", w.Err())
	return nil
}

// errLate is what did not come within patience.
var errLate = errors.New("nothing has come")

// receive waits for the next event. open is false when Events is closed.
func receive(ctx context.Context, w *follow.Watch) (event follow.Event, open bool, err error) {
	select {
	case event, open = <-w.Events():
		return event, open, nil
	case <-time.After(patience):
		return event, true, errLate
	case <-ctx.Done():
		return event, true, context.Cause(ctx)
	}
}

// over waits until Events is closed.
func over(ctx context.Context, w *follow.Watch) error {
	for {
		if _, open, err := receive(ctx, w); err != nil || !open {
			return err
		}
	}
}

// bodies is a transport that counts the bodies of responses that nobody has closed.
type bodies struct {
	next http.RoundTripper

	mu      sync.Mutex
	open    int           // responses
	changed chan struct{} // closed when open changes
}

// RoundTrip implements http.RoundTripper.
func (b *bodies) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	b.count(1)
	var once sync.Once
	resp.Body = &body{resp.Body, func() { once.Do(func() { b.count(-1) }) }}
	return resp, nil
}

func (b *bodies) count(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open += n
	close(b.changed)
	b.changed = make(chan struct{})
}

// left is how many are open. Who closes one a moment after the end of the watch is given that moment.
func (b *bodies) left(ctx context.Context) int {
	moment := time.After(time.Second)
	for {
		b.mu.Lock()
		open, changed := b.open, b.changed
		b.mu.Unlock()
		if open == 0 {
			return 0
		}
		select {
		case <-changed:
		case <-moment:
			return open
		case <-ctx.Done():
			return open
		}
	}
}

type body struct {
	io.ReadCloser
	closed func()
}

// Close implements io.Closer.
func (b *body) Close() error {
	b.closed()
	return b.ReadCloser.Close()
}

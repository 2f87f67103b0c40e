package listwatch

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
)

// watchTimeout is what the server is asked to end each watch after, or up to twice that: long enough
// to be no load, short enough that clients spread over servers again. Upstream: defaultMinWatchTimeout.
const watchTimeout = 5 * time.Minute

// errShort is the end of a watch that the server closed at once. To resume at once would be a loop
// that only the server's speed limits.
var errShort = errors.New("the server closed the watch at once, without an event")

// follow is one watch from its opening to its end, which is the error. Events go to apply.
func (c *Client) follow(ctx context.Context, o watch.Options, apply func(watch.Event) error) error {
	ctx, idle := c.bounded(ctx)
	defer idle.stop()
	o.TimeoutSeconds = int(watchTimeout.Seconds() * (1 + c.Backoff.Rand()))
	opened, events := c.Clock.Now(), 0
	stream, err := c.Source.Watch(ctx, o)
	if err != nil {
		return idle.explain(err)
	}
	defer stream.Close()
	for {
		event, err := stream.Next()
		if err == io.EOF && events == 0 && c.Clock.Now().Sub(opened) < time.Second {
			return errShort
		}
		if err == nil {
			err = event.Err() // an ERROR event: a Status inside a response that began with 200
		}
		if err != nil {
			return idle.explain(err)
		}
		idle.reset()
		events++
		if err := apply(event); err != nil {
			return err
		}
	}
}

// apply takes one event of a watch that started from a resourceVersion: such events come in the
// order of their resourceVersions, so that each is a place to resume from.
func (c *Client) apply(e watch.Event) error {
	meta, err := e.Meta()
	if err != nil {
		return err
	}
	if e.Type != watch.Bookmark {
		c.View.Apply(e.Type, meta, e.Object)
	}
	c.resumePoint = meta.ResourceVersion
	return nil
}

// idleTimer cancels a request that brings nothing.
type idleTimer struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  Timer
	after  time.Duration
}

// bounded gives a request a context that ends when nothing comes.
func (c *Client) bounded(ctx context.Context) (context.Context, *idleTimer) {
	ctx, cancel := context.WithCancelCause(ctx)
	t := &idleTimer{ctx: ctx, cancel: cancel, after: c.Idle}
	t.timer = c.Clock.AfterFunc(c.Idle, func() { cancel(errStalled) })
	return ctx, t
}

func (t *idleTimer) reset() { t.timer.Reset(t.after) }

func (t *idleTimer) stop() {
	t.timer.Stop()
	t.cancel(nil)
}

// explain returns errStalled in place of the error that the timer caused by ending the request.
func (t *idleTimer) explain(err error) error {
	if context.Cause(t.ctx) == errStalled {
		return errStalled
	}
	return err
}

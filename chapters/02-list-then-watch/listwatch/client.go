package listwatch

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
)

// Client keeps a View equal to a Source. Set the first two fields, and call Run once.
type Client struct {
	// Source is what to follow.
	Source Source
	// View is what to keep.
	View *View
	// Streaming starts with a streaming list in place of a list.
	Streaming bool

	// PageSize is the number of objects per page of a list; 500 if 0.
	PageSize int
	// Idle is how long a request may bring nothing before it counts as dead; 2 minutes if 0. A watch
	// with bookmarks brings something about once a minute.
	Idle time.Duration
	// Backoff says how long to wait after failures. If nil, it is upstream's: 0.8 s, doubled up to
	// 30 s, up to as much again at random, and from the start after 2 minutes without failure.
	Backoff *Backoff
	// Clock is the time. If nil, it is package time's.
	Clock Clock
	// Observe, if set, is called with each change of state, by the goroutine of Run.
	Observe func(State)

	at string // the last resourceVersion that a watch may start from; "" is none
}

// State is what the client is doing, for those who look on.
type State struct {
	// Doing is "list", "stream", "synced" (the view is that of From), "watch" or "wait".
	Doing string
	// From is the resourceVersion that a watch starts from or that a list brought.
	From string
	// After is the end of the request before, and For the time to wait for it.
	After End
	For   time.Duration
	// Err is the error behind After.
	Err error
}

// Run follows the source until ctx ends, and returns why it did. No fault of the source ends it.
func (c *Client) Run(ctx context.Context) error {
	c.defaults()
	for ctx.Err() == nil {
		var err error
		switch {
		case c.at != "":
			err = c.resume(ctx)
		case c.Streaming:
			err = c.streamingList(ctx)
		default:
			err = c.list(ctx)
		}
		if err != nil && ctx.Err() == nil {
			c.pause(ctx, err)
		}
	}
	return context.Cause(ctx)
}

// pause takes the end of a request for what it means, and waits if it must.
func (c *Client) pause(ctx context.Context, err error) {
	end := endOf(err)
	next := decide(end, err)
	if next.StartOver {
		c.at = ""
	}
	delay := time.Duration(0)
	if next.Wait {
		delay = max(c.Backoff.Next(c.Clock.Now()), next.AtLeast)
	}
	c.Observe(State{Doing: "wait", After: end, For: delay, Err: err})
	if delay > 0 {
		c.Clock.Sleep(ctx, delay)
	}
}

// resume watches from where the last request ended.
func (c *Client) resume(ctx context.Context) error {
	c.Observe(State{Doing: "watch", From: c.at})
	return c.follow(ctx, watch.Options{ResourceVersion: c.at, AllowWatchBookmarks: true}, c.apply)
}

// defaults fills in what was left out.
func (c *Client) defaults() {
	if c.PageSize == 0 {
		c.PageSize = 500
	}
	if c.Idle == 0 {
		c.Idle = 2 * time.Minute
	}
	if c.Clock == nil {
		c.Clock = realClock{}
	}
	if c.Backoff == nil {
		c.Backoff = &Backoff{Base: 800 * time.Millisecond, Cap: 30 * time.Second, Reset: 2 * time.Minute, Rand: rand.Float64}
	}
	if c.Observe == nil {
		c.Observe = func(State) {}
	}
}

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
	// Backoff says how long to wait after failures. If nil, it has upstream's numbers: 0.8 s, doubled up
	// to 30 s, up to as much again at random, and from the start after 2 minutes without a failure.
	// (Upstream's starts again 2 minutes after its last start, also while everything fails.)
	Backoff *Backoff
	// Clock is the time. If nil, it is package time's.
	Clock Clock
	// Observe, if set, is called with each change of state, by the goroutine of Run.
	Observe func(State)

	resumePoint string // the last resourceVersion that a watch may start from; "" is none
}

// Activity is what a client can be doing.
type Activity string

// The activities, in the order in which they come up.
const (
	// Listing: a list was begun.
	Listing Activity = "list"
	// Streaming: a streaming list was begun.
	Streaming Activity = "stream"
	// Synced: the view has become that of State.From.
	Synced Activity = "synced"
	// Watching: a watch was begun, from State.From.
	Watching Activity = "watch"
	// Waiting: a request has ended, and the next one is due after State.For.
	Waiting Activity = "wait"
)

// State is what the client is doing, for those who look on.
type State struct {
	Doing Activity
	// From is the resourceVersion that a watch starts from or that a list brought; of Waiting, the one that the next
	// watch starts from, or "" if the client begins anew.
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
		case c.resumePoint != "":
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

// pause decides what follows a failed request: start over on a 410, wait after anything but a clean end.
func (c *Client) pause(ctx context.Context, err error) {
	end := endOf(err)
	next := decide(end, err)
	if next.startOver {
		c.resumePoint = ""
	}
	delay := time.Duration(0)
	if next.wait {
		delay = max(c.Backoff.Next(c.Clock.Now()), next.atLeast)
	}
	c.Observe(State{Doing: Waiting, From: c.resumePoint, After: end, For: delay, Err: err})
	if delay > 0 {
		c.Clock.Sleep(ctx, delay)
	}
}

// resume watches from where the last request ended.
func (c *Client) resume(ctx context.Context) error {
	c.Observe(State{Doing: Watching, From: c.resumePoint})
	return c.follow(ctx, watch.Options{ResourceVersion: c.resumePoint, AllowWatchBookmarks: true}, c.apply)
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
		c.Backoff = &Backoff{Base: 800 * time.Millisecond, Cap: 30 * time.Second, Reset: 2 * time.Minute,
			Rand: rand.Float64}
	}
	if c.Observe == nil {
		c.Observe = func(State) {}
	}
}

package routing

import (
	"context"
	"errors"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// Channel is a source of events that come from no API server: a webhook, a timer, a process that has ended.
//
// [Channel.Notify] never waits for anybody: not for the controller to be started, which on a standby may be never, not
// for a handler, and not when all has ended. What it says is a key alone. A key that waits for the handler already says
// all there is to say, so that no more can wait than there are different keys. What came while the handler had the key
// comes again. Nobody takes the keys of a channel that is never started: on a standby that never leads they are kept
// for as long as the process lives. A channel has one life: after its end it keeps nothing.
//
// Upstream's counterpart is source.Channel, in controller-runtime's pkg/source/source.go, over a Go channel and a
// buffer of 1,024 events. It carries whole objects, and its sender waits while nobody receives: before the start, after
// the end, and when the buffer is full. Several controllers may share one. Here each has its own.
type Channel struct {
	handler    handler.EventHandler
	predicates []predicate.Predicate
	wake       chan struct{} // has something in it when keys wait that the goroutine may not have seen

	lock    sync.Mutex // guards what follows
	waiting []client.ObjectKey
	waits   map[client.ObjectKey]bool // those in waiting
	started bool
	ended   bool
}

var _ source.Source = (*Channel)(nil)

// ErrStarted is what a second start is answered with, also after the end of the first.
var ErrStarted = errors.New("the channel has been started before, and starts once: make another one")

// NewChannel makes one whose events go to a handler if all predicates let them pass.
func NewChannel(h handler.EventHandler, predicates ...predicate.Predicate) *Channel {
	return &Channel{handler: h, predicates: predicates, wake: make(chan struct{}, 1),
		waits: map[client.ObjectKey]bool{}}
}

// Notify says that there is something new about a key. It may be called at any time, by anybody. After the end it does
// nothing.
func (c *Channel) Notify(key client.ObjectKey) {
	c.lock.Lock()
	if !c.waits[key] && !c.ended {
		c.waits[key] = true
		c.waiting = append(c.waiting, key)
	}
	c.lock.Unlock()
	select {
	case c.wake <- struct{}{}:
	default: // somebody has woken it
	}
}

// Waiting is how many keys the handler has not been given yet.
func (c *Channel) Waiting() int {
	c.lock.Lock()
	defer c.lock.Unlock()
	return len(c.waiting)
}

// Start implements source.Source: it hands out what waits, and what comes, until ctx ends. What then waits is dropped.
// A controller starts its sources once, and so a second start is refused.
func (c *Channel) Start(ctx context.Context, q Queue) error {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.started {
		return ErrStarted
	}
	c.started = true
	go c.run(ctx, q)
	return nil
}

func (c *Channel) run(ctx context.Context, q Queue) {
	defer c.end()
	for {
		for ctx.Err() == nil {
			key, ok := c.next()
			if !ok {
				break
			}
			c.handle(ctx, key, q)
		}
		select {
		case <-c.wake:
		case <-ctx.Done():
			return
		}
	}
}

// next takes the key that has waited longest. From then on it waits no longer, and may be added anew.
func (c *Channel) next() (key client.ObjectKey, ok bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if len(c.waiting) == 0 {
		return key, false
	}
	key, c.waiting = c.waiting[0], c.waiting[1:]
	delete(c.waits, key)
	return key, true
}

// handle gives a handler what is known of an object, which is its key.
func (c *Channel) handle(ctx context.Context, key client.ObjectKey, q Queue) {
	e := event.GenericEvent{Object: &metav1.PartialObjectMetadata{
		ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}}
	if And(c.predicates...).Generic(e) {
		c.handler.Generic(ctx, e, q)
	}
}

// end drops what waits: nobody will take it.
func (c *Channel) end() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.ended, c.waiting, c.waits = true, nil, nil
}

// String is how a controller's log calls it.
func (c *Channel) String() string { return "a channel of keys" }

package scenario

import (
	"context"
	"sync"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch"
)

// clock is a listwatch.Clock on which nobody waits: a sleep moves it and returns, and its timers fire
// when the fault proxy says that a stream stalls. Time is then an effect of the script, like all else,
// and a loaded machine changes nothing.
type clock struct {
	mu      sync.Mutex
	now     time.Time
	running map[*timer]bool
	stalled bool // and no timer was running
}

func newClock() *clock {
	return &clock{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), running: map[*timer]bool{}}
}

// Now is the start plus all the sleeps so far.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Sleep moves the clock.
func (c *clock) Sleep(_ context.Context, d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// AfterFunc starts a timer, which a stall fires.
func (c *clock) AfterFunc(d time.Duration, f func()) listwatch.Timer {
	t := &timer{clock: c, f: f}
	t.Reset(d)
	return t
}

// stall fires the timers that run, or else the next one to be started.
func (c *clock) stall() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stalled = len(c.running) == 0
	for t := range c.running {
		delete(c.running, t)
		go t.f()
	}
}

type timer struct {
	clock *clock
	f     func()
}

// Stop takes the timer back.
func (t *timer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	ran := t.clock.running[t]
	delete(t.clock.running, t)
	return ran
}

// Reset starts the timer again.
func (t *timer) Reset(time.Duration) bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	ran := t.clock.running[t]
	if t.clock.stalled {
		t.clock.stalled = false
		go t.f()
		return ran
	}
	t.clock.running[t] = true
	return ran
}

package flush_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/exercises/2-flush"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

const (
	bufferSize = 4 << 10 // net/http's
	tooMany    = 10_000  // calls of a solution that has no end
)

// What is said of a test that does not end, and of goroutines that are left.
const (
	hang = "a loop that asks again and again instead of waiting, or a lock that is not given back: " +
		"Serve has to wait for three things at once"
	leak = "what Serve starts has to end with it: nobody else knows that it is there"
)

// What a failure can point to, where what was seen singles it out.
const (
	headerTravels = "the belief that the header travels by itself: it is buffered like everything else"
	polls         = "the belief that waiting means asking again and again: " +
		"a server with a thousand quiet watches would have no time for anything else"
	alwaysAnEvent = "the belief that a receive from a channel is always an event: " +
		"from a closed one it is nothing, at once, for ever"
	onItsWay  = "the belief that what is written is on its way: net/http keeps it until its buffer is full"
	blankLine = "the belief that an empty line is nothing: the client takes each line for an event"
	noLineEnd = "the belief that a reader sees where an event ends: it reads lines"
	forNext   = "the belief that a flush is for what comes next: it sends what was written before it"
	company   = "the belief that an event can wait for company: on a quiet resource the next one may come tomorrow"
	delay     = "the belief that a delay is a fair price for fewer packets: " +
		"every controller in the cluster reacts that much later"
	latest   = "the belief that a watcher wants the latest state only: it counts on every event, in order"
	flushAll = "the belief that every event needs a flush of its own: " +
		"under load, when it hurts most, each costs a system call and a packet"
	clientGone = "the belief that a handler ends when the client has gone: nobody stops it but the handler itself"
	between    = "the belief that it is enough to look between two events: " +
		"on a quiet resource the next one may come tomorrow"
	clientEnds = "the belief that only a client ends a watch: " +
		"the server does too, at the timeout and when a client is too slow"
	writesWork = "the belief that a write to a network works: the events that follow are taken from the queue and lost"
)

// connection is a response as net/http gives it to a handler: what is written stays in a buffer
// until that is full, or flushed.
type connection struct {
	t        *testing.T
	header   http.Header
	failFrom int           // the first write that fails, counted from 1; 0 for none
	gone     error         // what it fails with
	written  func()        // called by each Write
	slow     time.Duration // what each write and flush takes

	unguarded int // changed without the lock, for the race detector

	mu       sync.Mutex
	busy     chan struct{} // while it is there, nothing goes out: writes and flushes wait
	inside   string        // the call that is going on
	returned bool          // Serve has
	closed   bool          // events is
	status   int
	headers  bool   // the client has the header
	buffered string // written, and not yet on its way
	client   string // what the client has
	calls    string // an F for each flush, a W for each write
	failed   bool   // a write has failed
	after    int    // how many were tried then
}

func (c *connection) Header() http.Header { return c.header }

func (c *connection) WriteHeader(status int) {
	defer c.enter("WriteHeader")()
	if c.status == 0 {
		c.status = status
	}
}

func (c *connection) Write(p []byte) (int, error) {
	defer c.enter("Write")()
	c.calls += "W"
	if c.status == 0 {
		c.status = http.StatusOK
	}
	if c.written != nil {
		c.written()
	}
	if c.failed {
		c.after++
		return 0, c.gone
	}
	if c.failFrom > 0 && c.count("W") >= c.failFrom {
		c.failed = true
		return 0, c.gone
	}
	c.buffered += string(p)
	if full := len(c.buffered) / bufferSize * bufferSize; full > 0 {
		c.client, c.buffered, c.headers = c.client+c.buffered[:full], c.buffered[full:], true
	}
	if n := c.count("W"); n > tooMany {
		v := exercise.Verdict{Expected: "a few events are a few writes"}
		v.Happened = fmt.Sprintf("there were %d writes, and no end", n)
		if c.closed && strings.TrimSpace(string(p)) == "" {
			v.PointsTo = alwaysAnEvent
		}
		c.give(v)
	}
	return len(p), nil
}

// Flush does what [http.Flusher] says.
func (c *connection) Flush() { _ = c.FlushError() }

// FlushError is what an [http.ResponseController] calls.
func (c *connection) FlushError() error {
	defer c.enter("Flush")()
	c.calls += "F"
	if c.status == 0 {
		c.status = http.StatusOK
	}
	if c.failed {
		return c.gone
	}
	c.headers = true
	c.client += c.buffered
	c.buffered = ""
	if n := c.count("F"); n > tooMany && strings.HasSuffix(c.calls, "FFF") {
		c.give(exercise.Verdict{
			Expected: "a watch on which nothing happens does nothing",
			Happened: fmt.Sprintf("it was flushed %d times, and went on", n),
			PointsTo: polls,
		})
	}
	return nil
}

// SetWriteDeadline is there for an [http.ResponseController], which a handler may use.
func (c *connection) SetWriteDeadline(time.Time) error { return nil }

// enter begins a call, and returns what ends it. It holds the lock meanwhile, but for the time that
// the network is busy.
func (c *connection) enter(call string) (leave func()) {
	c.unguarded++
	c.mu.Lock()
	if c.inside != "" {
		exercise.Report(c.t, exercise.Verdict{
			Expected: "one goroutine at a time uses w, as net/http asks for",
			Happened: fmt.Sprintf("while the network was slow, a %s began before a %s had returned", call, c.inside)})
	}
	if c.returned {
		exercise.Report(c.t, exercise.Verdict{
			Expected: "when Serve has returned, nobody uses w: net/http has given it to another request",
			Happened: fmt.Sprintf("there was a %s after Serve had returned", call)})
	}
	c.inside = call
	for c.busy != nil {
		busy := c.busy
		c.mu.Unlock()
		<-busy
		c.mu.Lock()
	}
	if c.slow > 0 {
		c.mu.Unlock()
		time.Sleep(c.slow)
		c.mu.Lock()
	}
	return func() {
		c.inside = ""
		c.mu.Unlock()
	}
}

// give reports a verdict and ends the goroutine that would go on for ever.
func (c *connection) give(v exercise.Verdict) {
	exercise.Report(c.t, v)
	runtime.Goexit()
}

// count is how many flushes (F) or writes (W) there were.
func (c *connection) count(call string) int { return strings.Count(c.calls, call) }

// hold makes the network busy, until the function that it returns is called.
func (c *connection) hold() (release func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	busy := make(chan struct{})
	c.busy = busy
	return func() {
		c.mu.Lock()
		c.busy = nil
		c.mu.Unlock()
		close(busy)
		synctest.Wait()
	}
}

// watch is a Serve that runs.
type watch struct {
	*connection
	events chan string
	cancel context.CancelFunc
	done   chan error // what Serve returned
}

// serve starts a Serve whose channel has room for some events, in a bubble.
func serve(ctx context.Context, t *testing.T, c *connection, queue int) *watch {
	return serveAll(ctx, t, c, make(chan string, queue))
}

// serveAll starts a Serve of a channel in which events may be already.
func serveAll(ctx context.Context, t *testing.T, c *connection, events chan string) *watch {
	c.t, c.header = t, http.Header{}
	ctx, cancel := context.WithCancel(ctx)
	w := &watch{c, events, cancel, make(chan error, 1)}
	go func() {
		err := errors.New("Serve did not return")
		defer func() { w.done <- err }()
		err = Serve(ctx, c, w.events)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.returned = true; c.inside != "" {
			exercise.Report(t, exercise.Verdict{
				Expected: "when Serve has returned, nobody uses w: net/http gives it to another request",
				Happened: fmt.Sprintf("it returned while another goroutine was in a %s", c.inside)})
		}
	}()
	synctest.Wait()
	return w
}

// end closes events.
func (w *watch) end() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	close(w.events)
	synctest.Wait()
}

// stop ends a Serve that has done what the test asked for, or has not.
func (w *watch) stop() {
	w.mu.Lock()
	closed := w.closed
	w.mu.Unlock()
	w.cancel()
	if !closed {
		w.end()
	}
	time.Sleep(time.Hour) // also for one that looks at ctx now and then
}

// stopIfFailed leaves a Serve alone that passed: then nothing may be left that waits.
func (w *watch) stopIfFailed(t *testing.T) {
	if t.Failed() {
		w.stop()
	}
}

// lines is what the client can read by now, without any time passing: the lines that have ended, and
// the rest. pending is what is still in the server's buffer.
func (w *watch) lines() (lines []string, rest, pending string) {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	lines = strings.Split(w.client, "\n")
	return lines[:len(lines)-1], lines[len(lines)-1], w.buffered
}

// log is what was called by now.
func (w *watch) log() string {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls
}

// more is an event that comes later.
const more = `{"type":"MODIFIED","object":"another one"}`

// late says how the client came not to have the n-th event, by waiting for it and by sending more.
func (w *watch) late(n int, event string) exercise.Verdict {
	lines, rest, pending := w.lines()
	v := exercise.Verdict{
		Expected: fmt.Sprintf("event %d comes, and no other is waiting: the client has its line at once", n),
		Happened: fmt.Sprintf("the client does not have it: %q is still in the server's buffer", pending),
	}
	if rest == event {
		v.Happened = fmt.Sprintf("the client has no line that ends, but %q", rest)
		w.events <- more
		if _, rest, _ = w.lines(); rest == event+more {
			v.PointsTo = noLineEnd
		}
		return v
	}
	written := strings.Contains(pending, event)
	if !written {
		v.Happened = "the client does not have it: it was not written"
	}
	calls := w.log()
	for wait := time.Millisecond; wait < time.Hour; wait *= 2 {
		time.Sleep(wait / 2)
		if now, _, _ := w.lines(); len(now) > len(lines) {
			v.Happened += fmt.Sprintf("; it went out within %v", wait)
			if written {
				v.PointsTo = delay
			}
			return v
		}
	}
	for next := n + 1; next <= n+50; next++ {
		w.events <- more
		if now, _, _ := w.lines(); len(now) > len(lines) {
			v.Happened += fmt.Sprintf("; it went out with event %d", next)
			v.PointsTo = company
			if next == n+1 && strings.HasSuffix(calls, "FW") {
				v.PointsTo = forNext
			}
			return v
		}
	}
	if written && strings.Count(w.log(), "F") == strings.Count(calls, "F") {
		v.Happened += ", also when 50 more had come"
		v.PointsTo = onItsWay
	}
	return v
}

// result is what Serve returned, if it has.
func (w *watch) result() (err error, ok bool) {
	select {
	case err := <-w.done:
		w.done <- err
		return err, true
	default:
		return nil, false
	}
}

// whatOf says in words what Serve did.
func whatOf(err error, returned bool) string {
	if !returned {
		return "it goes on"
	}
	return fmt.Sprintf("it returned %v", err)
}

// skips reports whether a client got the last event, and of those before it some, in order.
func skips(lines, events []string) bool {
	if len(lines) == 0 || len(lines) == len(events) || lines[len(lines)-1] != events[len(events)-1] {
		return false
	}
	for _, event := range events {
		if len(lines) > 0 && lines[0] == event {
			lines = lines[1:]
		}
	}
	return len(lines) == 0
}

// short is a text in quotes, of which a long one is cut.
func short(text string) string {
	if len(text) > 60 {
		return fmt.Sprintf("%q and so on, %d bytes", text[:60], len(text))
	}
	return fmt.Sprintf("%q", text)
}

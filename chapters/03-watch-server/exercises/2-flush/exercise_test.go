package flush

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

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// connection is a response as net/http gives it to a handler: what is written stays in a buffer
// until a flush. While busy is open, a write waits, as it does when the network is slow.
type connection struct {
	t    *testing.T
	busy chan struct{}

	mu       sync.Mutex
	header   http.Header
	started  bool   // the header was written
	buffered string // written, and not yet on its way
	client   string // what the client has
	headers  bool   // the client has the header
	flushes  int
	gone     error // what a write returns, when the client has gone
	writes   int
}

func (c *connection) Header() http.Header { return c.header }

func (c *connection) WriteHeader(int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started = true
}

func (c *connection) Write(p []byte) (int, error) {
	if c.busy != nil {
		<-c.busy
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started = true
	if c.writes++; c.writes > 10_000 {
		exercise.Report(c.t, exercise.Verdict{
			Expected: "a few events are a few writes",
			Happened: "there were 10000 writes, and no end",
			PointsTo: "the belief that a receive from a channel is always an event: from a closed one it is nothing, at once, for ever",
		})
		runtime.Goexit()
	}
	if c.gone != nil {
		return 0, c.gone
	}
	c.buffered += string(p)
	return len(p), nil
}

func (c *connection) Flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flushes++
	if c.flushes > 10_000 {
		exercise.Report(c.t, exercise.Verdict{
			Expected: "a watch on which nothing happens does nothing",
			Happened: "it was flushed 10000 times, and went on",
			PointsTo: "the belief that waiting means asking again and again: a server with a thousand quiet watches would have no time for anything else",
		})
		runtime.Goexit()
	}
	c.started, c.headers = true, true
	c.client += c.buffered
	c.buffered = ""
}

// has is what the client can read by now, without any time passing.
func (c *connection) has() (lines []string, pending string) {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	lines = strings.Split(c.client, "\n")
	return lines[:len(lines)-1], lines[len(lines)-1] + c.buffered
}

func (c *connection) count() (flushes, writes int) {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.flushes, c.writes
}

// watch is a Serve that runs.
type watch struct {
	*connection
	events chan string
	cancel context.CancelFunc
	done   chan error
}

// serving runs a test in a bubble, beside a Serve that the test's end stops, and closes its events.
func serving(t *testing.T, c *connection, test func(t *testing.T, w *watch)) {
	exercise.Bubble(t, func(t *testing.T) {
		c.t, c.header = t, http.Header{}
		ctx, cancel := context.WithCancel(context.Background())
		w := &watch{c, make(chan string, 100), cancel, make(chan error, 1)}
		go func() {
			err := errors.New("Serve did not return")
			defer func() { w.done <- err }()
			err = Serve(ctx, c, w.events)
		}()
		closed := false
		defer func() {
			cancel()
			if !closed {
				close(w.events)
			}
		}()
		test(t, w)
	})
}

const leak = "the belief that a handler ends when the client has gone: nobody stops it but the handler itself"

func TestHeaderComesFirst(t *testing.T) {
	exercise.Attempted(t)
	serving(t, &connection{}, func(t *testing.T, w *watch) {
		synctest.Wait()
		w.mu.Lock()
		headers := w.headers
		w.mu.Unlock()
		exercise.Expect(t, headers, exercise.Verdict{
			Expected: "the client has the header before the first event",
			Happened: "nothing was flushed; on a quiet resource a client waits for the answer to its request for hours",
			PointsTo: "the belief that the header travels by itself: it is buffered like everything else",
		})
	})
}

const company = "the belief that an event can wait for company: on a quiet resource the next one may come tomorrow"

// flushedWith gives Serve more events, one by one, and returns the number of the one with which a
// flush came, or 0. The first of them has the number n.
func (w *watch) flushedWith(n int) int {
	before, _ := w.count()
	for last := n + 50; n < last; n++ {
		w.events <- "event"
		if after, _ := w.count(); after > before {
			return n
		}
	}
	return 0
}

func TestEventAlone(t *testing.T) {
	exercise.Attempted(t)
	serving(t, &connection{}, func(t *testing.T, w *watch) {
		for i, event := range []string{`{"type":"ADDED"}`, `{"type":"MODIFIED"}`, `{"type":"DELETED"}`} {
			w.events <- event
			lines, pending := w.has()
			verdict := exercise.Verdict{
				Expected: fmt.Sprintf("event %d comes, and no other is waiting: the client has its line at once", i+1),
				Happened: fmt.Sprintf("the client does not have it: %q is still in the server's buffer", pending),
				PointsTo: "the belief that what is written is on its way: net/http keeps it until its buffer is full",
			}
			flushes, _ := w.count()
			switch {
			case len(lines) > i+1:
				verdict.Happened = fmt.Sprintf("the client has %d lines: %q", len(lines), lines)
				verdict.PointsTo = "the belief that an empty line is nothing: the client takes each line for an event"
			case pending == "" && len(lines) <= i:
				verdict.Happened = "the client does not have it: the event was not written"
				verdict.PointsTo = company
			case len(lines) == i && strings.Count(pending, "\n") == 0:
				verdict.Happened = fmt.Sprintf("the client has no line that ends, but %q", pending)
				verdict.PointsTo = "the belief that a reader sees where an event ends: it reads lines"
			case flushes > i+1 && len(lines) == i:
				verdict.PointsTo = "the belief that a flush is for what comes next: it sends what was written before it"
			case len(lines) == i:
				if n := w.flushedWith(i + 2); n > 0 {
					verdict.Happened += fmt.Sprintf("; it went out with event %d", n)
					verdict.PointsTo = company
				}
			}
			if before, _ := w.count(); len(lines) == i {
				time.Sleep(time.Minute)
				if after, _ := w.count(); after > before {
					verdict.Happened += "; it went out later, when a timer fired"
					verdict.PointsTo = "the belief that a delay is a fair price for fewer packets: every controller in the cluster reacts that much later"
				}
			}
			exercise.Expect(t, len(lines) == i+1, verdict)
			exercise.Expect(t, lines[i] == event, exercise.Verdict{
				Expected: "line by line, the events as they were given: " + event,
				Happened: "the line is " + lines[i]})
		}
	})
}

func TestBurst(t *testing.T) {
	exercise.Attempted(t)
	c := &connection{}
	serving(t, c, func(t *testing.T, w *watch) {
		synctest.Wait()
		before, _ := w.count()
		c.mu.Lock()
		c.busy = make(chan struct{})
		c.mu.Unlock()
		w.events <- "event 0"
		synctest.Wait() // Serve writes it, and the network is busy
		for i := 1; i <= 100; i++ {
			select {
			case w.events <- fmt.Sprint("event ", i):
			default:
			}
		}
		queued := 1 + len(w.events)
		close(c.busy)
		lines, _ := w.has()
		exercise.Expect(t, len(lines) == queued, exercise.Verdict{
			Expected: fmt.Sprintf("%d events came while the connection was busy: the client gets %d lines", queued, queued),
			Happened: fmt.Sprintf("it got %d", len(lines)),
			PointsTo: "the belief that a watcher wants the latest state only: it counts on every event, in order",
		})
		for i, l := range lines {
			exercise.Expect(t, l == fmt.Sprint("event ", i), exercise.Verdict{
				Expected: fmt.Sprint("line ", i, " is event ", i), Happened: "it is " + l,
				PointsTo: "the belief that the order of events does not matter"})
		}
		after, _ := w.count()
		exercise.Expect(t, after-before <= 5, exercise.Verdict{
			Expected: "events that were waiting together go out together: one flush for the burst, or a few",
			Happened: fmt.Sprintf("%d flushes for %d events", after-before, queued),
			PointsTo: "the belief that every event needs a flush of its own: under load, when it hurts most, each costs a system call and a packet",
		})
	})
}

func TestClientGoes(t *testing.T) {
	exercise.Attempted(t, exercise.LeakMeans(leak))
	serving(t, &connection{}, func(t *testing.T, w *watch) {
		w.events <- "event"
		synctest.Wait()
		w.cancel()
		synctest.Wait()
		select {
		case err := <-w.done:
			exercise.Expect(t, err == nil, exercise.Verdict{
				Expected: "a client that goes away is no error: Serve returns nil", Happened: fmt.Sprintf("it returned %q", err)})
		default:
			verdict := exercise.Verdict{
				Expected: "Serve returns when ctx ends, although no event comes",
				Happened: "it still waits for the next event; the server keeps a goroutine and a watcher for a client that has gone",
				PointsTo: leak,
			}
			w.events <- "one more"
			synctest.Wait()
			if len(w.done) > 0 {
				verdict.Happened = "it waits for the next event, and returns only when that has come"
				verdict.PointsTo = "the belief that it is enough to look between two events: on a quiet resource the next one may come tomorrow"
			}
			exercise.Fail(t, verdict)
		}
	})
}

func TestServerEndsTheWatch(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		c := &connection{t: t, header: http.Header{}}
		events := make(chan string, 3)
		events <- "one"
		events <- "two"
		close(events)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		done := make(chan error, 1)
		go func() { done <- Serve(ctx, c, events) }()
		synctest.Wait()
		c.mu.Lock()
		written := c.client + c.buffered // net/http flushes when the handler returns
		c.mu.Unlock()
		select {
		case err := <-done:
			exercise.Expect(t, err == nil && written == "one\ntwo\n", exercise.Verdict{
				Expected: "two events, then the channel is closed: both are written, and Serve returns nil",
				Happened: fmt.Sprintf("written: %q; returned: %v", written, err),
				PointsTo: "the belief that a closed channel has nothing in it: what was queued is still to be read",
			})
		default:
			exercise.Fail(t, exercise.Verdict{
				Expected: "Serve returns when events is closed", Happened: "it goes on",
				PointsTo: "the belief that only a client ends a watch: the server does too, at the timeout and when a client is too slow"})
		}
	})
}

func TestWriteFails(t *testing.T) {
	exercise.Attempted(t)
	reset := errors.New("connection reset by peer")
	serving(t, &connection{gone: reset}, func(t *testing.T, w *watch) {
		synctest.Wait()
		for range 3 {
			w.events <- "event"
		}
		synctest.Wait()
		_, writes := w.count()
		select {
		case err := <-w.done:
			exercise.Expect(t, errors.Is(err, reset), exercise.Verdict{
				Expected: "a write fails: Serve returns its error", Happened: fmt.Sprintf("it returned %v", err),
				PointsTo: "the belief that a write to a network works"})
		default:
			exercise.Fail(t, exercise.Verdict{
				Expected: "a write fails: Serve returns its error",
				Happened: fmt.Sprintf("it went on, and wrote %d times to a connection that is broken", writes),
				PointsTo: "the belief that a write to a network works: the events that follow are taken from the queue and lost",
			})
		}
	})
}

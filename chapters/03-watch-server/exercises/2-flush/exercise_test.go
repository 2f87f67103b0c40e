package flush_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestHeaderComesFirst(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	exercise.Bubble(t, func(t *testing.T) {
		w := serve(t.Context(), t, &connection{}, 100)
		defer w.stop()
		v := exercise.Verdict{
			Expected: "the client has the header before the first event",
			Happened: "nothing was flushed; on a quiet resource a client waits for the answer to its request for hours",
		}
		if w.status != 0 {
			v.PointsTo = headerTravels
		}
		exercise.Expect(t, w.headers, v)
		exercise.Expect(t, w.status == http.StatusOK, exercise.Verdict{
			Expected: "the status is 200", Happened: fmt.Sprintf("it is %d", w.status)})
	})
}

func TestEventAlone(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	exercise.Bubble(t, func(t *testing.T) {
		w := serve(t.Context(), t, &connection{}, 100)
		defer w.stop()
		for i, event := range []string{`{"type":"ADDED"}`, `{"type":"MODIFIED"}`, `{"type":"DELETED"}`} {
			w.events <- event
			lines, _, _ := w.lines()
			if len(lines) < i+1 {
				exercise.Fail(t, w.late(i+1, event))
			}
			v := exercise.Verdict{
				Expected: fmt.Sprintf("%d events came, one after the other: the client has a line for each", i+1),
				Happened: fmt.Sprintf("it has %d: %q", len(lines), lines),
			}
			if i == 0 && slices.Equal(lines, []string{event, ""}) {
				v.PointsTo = blankLine
			}
			exercise.Expect(t, len(lines) == i+1, v)
			exercise.Expect(t, lines[i] == event, exercise.Verdict{
				Expected: "each line is an event as it was given: " + event,
				Happened: fmt.Sprintf("the line is %q", lines[i])})
		}
	})
}

// These are texts that something between a channel and a client might change.
var odd = []string{`{"progress":"100%"}`, "%s %d %!v", "", "  with space around\t", "same", "same", `"quoted" \ <&>`,
	"ends with a carriage return\r", "not ASCII: \u00fc \u2713", "not UTF-8: \xff\xfe \x00",
	strings.Repeat("long ", 5000), "last"}

func TestEventsAsGiven(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	for _, queue := range []int{0, 1, 100} {
		exercise.Bubble(t, func(t *testing.T) {
			w := serve(t.Context(), t, &connection{}, queue)
			defer w.stop()
			for i, event := range odd {
				w.events <- event
				lines, _, _ := w.lines()
				last := "nothing more"
				if len(lines) > i {
					last = strings.Join(lines[i:], "\n")
				}
				exercise.Expect(t, last == event, exercise.Verdict{
					Expected: fmt.Sprintf("events has room for %d; %s comes: the client has a line with just that",
						queue, short(event)),
					Happened: "it has " + short(last)})
			}
		})
	}
}

func TestBurst(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	exercise.Bubble(t, func(t *testing.T) {
		w := serve(t.Context(), t, &connection{}, 100)
		defer w.stop()
		before := strings.Count(w.log(), "F")
		release := w.hold()
		w.events <- "event 0"
		synctest.Wait() // Serve writes it, and the network is busy
		want := []string{"event 0"}
		for i := 1; i <= 100; i++ {
			want = append(want, fmt.Sprint("event ", i))
			w.events <- want[i]
		}
		synctest.Wait() // somebody may read ahead
		release()
		lines, _, pending := w.lines()
		v := exercise.Verdict{
			Expected: "101 events came while the network was busy: the client gets 101 lines",
			Happened: fmt.Sprintf("it got %d", len(lines)),
		}
		if pending != "" {
			v.Happened += fmt.Sprintf("; in the server's buffer are %d bytes", len(pending))
		}
		if skips(lines, want) {
			v.PointsTo = latest
		}
		exercise.Expect(t, len(lines) == len(want), v)
		for i := range want {
			exercise.Expect(t, lines[i] == want[i], exercise.Verdict{
				Expected: fmt.Sprintf("line %d is %s", i, want[i]), Happened: "it is " + lines[i]})
		}
		flushes := strings.Count(w.log(), "F") - before
		v = exercise.Verdict{
			Expected: "events that were waiting together go out together: one flush for the burst, or a few",
			Happened: fmt.Sprintf("%d flushes for 101 events", flushes),
		}
		if flushes == 101 {
			v.PointsTo = flushAll
		}
		exercise.Expect(t, flushes <= 5, v)
	})
}

// After a burst of any size nothing waits for the next one.
func TestBurstOfAnySize(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	for size := 1; size <= 130; size++ {
		exercise.Bubble(t, func(t *testing.T) {
			w := serve(t.Context(), t, &connection{}, 200)
			defer w.stop()
			release := w.hold()
			w.events <- "event"
			synctest.Wait()
			for range size {
				w.events <- "event"
			}
			release()
			lines, _, _ := w.lines()
			exercise.Expect(t, len(lines) == size+1, exercise.Verdict{
				Expected: fmt.Sprintf("%d events were waiting together, "+
					"and no other comes: the client has them at once", size),
				Happened: fmt.Sprintf("it has %d of them", max(0, len(lines)-1))})
		})
	}
}

func TestEventsWaitForTheCall(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	exercise.Bubble(t, func(t *testing.T) {
		events := make(chan string, 100)
		var want []string
		for i := range cap(events) {
			want = append(want, fmt.Sprint("event ", i))
			events <- want[i]
		}
		w := serveAll(t.Context(), t, &connection{}, events)
		defer w.stop()
		lines, _, _ := w.lines()
		exercise.Expect(t, slices.Equal(lines, want), exercise.Verdict{
			Expected: "100 events are waiting when Serve is called: the client has a line for each",
			Happened: fmt.Sprintf("it has %d lines: %s", len(lines), short(strings.Join(lines, ", ")))})
	})
}

func TestNothingComes(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	exercise.Bubble(t, func(t *testing.T) {
		w := serve(t.Context(), t, &connection{}, 100)
		defer w.stop()
		for _, when := range []string{"before the first event", "after an event"} {
			before := w.log()
			time.Sleep(time.Hour)
			since := w.log()[len(before):]
			exercise.Expect(t, since == "", exercise.Verdict{
				Expected: "an hour without an event, " + when + ": nothing is written and nothing flushed",
				Happened: fmt.Sprintf("there were %d writes and %d flushes",
					strings.Count(since, "W"), strings.Count(since, "F"))})
			w.events <- "event"
			w.lines()
		}
	})
}

// Each call takes a second, and a second event comes at some time during the calls for a first one.
func TestOneGoroutineUsesTheConnection(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	exercise.Bubble(t, func(t *testing.T) {
		w := serve(t.Context(), t, &connection{slow: time.Second}, 100)
		defer w.stop()
		sent := 0
		for pause := 100 * time.Millisecond; pause < 4*time.Second; pause += 300 * time.Millisecond {
			time.Sleep(time.Minute)
			w.events <- "first"
			time.Sleep(pause)
			w.events <- "second"
			sent += 2
		}
		time.Sleep(time.Minute)
		lines, _, _ := w.lines()
		exercise.Expect(t, len(lines) == sent, exercise.Verdict{
			Expected: fmt.Sprintf("%d events on a network on which each call takes a second: "+
				"after a minute the client has %d lines", sent, sent),
			Happened: fmt.Sprintf("it has %d", len(lines))})
	})
}

func TestClientGoes(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang), exercise.LeakMeans(leak))
	for _, sent := range []int{0, 1} {
		exercise.Bubble(t, func(t *testing.T) {
			w := serve(t.Context(), t, &connection{}, 100)
			defer w.stopIfFailed(t)
			for range sent {
				w.events <- "event"
			}
			synctest.Wait()
			before := w.client + w.buffered
			w.cancel()
			synctest.Wait()
			if err, ok := w.result(); ok {
				exercise.Expect(t, err == nil, exercise.Verdict{
					Expected: "a client that goes away is no error: Serve returns nil",
					Happened: fmt.Sprintf("it returned %q", err)})
				exercise.Expect(t, w.client+w.buffered == before, exercise.Verdict{
					Expected: "ctx ends: the lines are the events, and nothing else",
					Happened: fmt.Sprintf("%q was written then", (w.client + w.buffered)[len(before):])})
				return
			}
			v := exercise.Verdict{
				Expected: "Serve returns when ctx ends, although no event comes",
				Happened: "it still waits for the next event; " +
					"the server keeps a goroutine and a watcher for a client that has gone",
				PointsTo: clientGone,
			}
			w.events <- "one more"
			synctest.Wait()
			if _, ok := w.result(); ok {
				v.Happened = "it waits for the next event, and returns only when that has come"
				v.PointsTo = between
			}
			exercise.Fail(t, v)
		})
	}
}

func TestAnyEndOfTheContext(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang), exercise.LeakMeans(leak))
	ends := map[string]func(context.Context) (context.Context, context.CancelFunc){
		"at its deadline": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, time.Minute)
		},
		"with a cause of its own": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeoutCause(ctx, time.Minute, errors.New("the server shuts down"))
		},
	}
	for how, end := range ends {
		exercise.Bubble(t, func(t *testing.T) {
			ctx, cancel := end(t.Context())
			defer cancel()
			w := serve(ctx, t, &connection{}, 100)
			defer w.stopIfFailed(t)
			time.Sleep(time.Minute)
			synctest.Wait()
			err, ok := w.result()
			exercise.Expect(t, ok && err == nil, exercise.Verdict{
				Expected: "ctx ends " + how + ": Serve returns nil", Happened: whatOf(err, ok)})
		})
	}
}

func TestClientHasGoneBeforeTheCall(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang), exercise.LeakMeans(leak))
	exercise.Bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		w := serve(ctx, t, &connection{}, 100)
		defer w.stopIfFailed(t)
		err, ok := w.result()
		exercise.Expect(t, ok && err == nil, exercise.Verdict{
			Expected: "ctx has ended before the call: Serve returns nil", Happened: whatOf(err, ok)})
	})
}

func TestClientGoesWhileEventsCome(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang), exercise.LeakMeans(leak))
	const before, more = 500, 2000
	exercise.Bubble(t, func(t *testing.T) {
		c := &connection{}
		var w *watch
		c.written = func() { // each write leaves as many events in the queue as it found
			n := strings.Count(c.calls, "W")
			if n == before {
				w.cancel()
			}
			for n < before+more && len(w.events) < cap(w.events) {
				w.events <- "event"
			}
		}
		w = serve(t.Context(), t, c, 100)
		defer w.stopIfFailed(t)
		w.events <- "event"
		n := strings.Count(w.log(), "W")
		exercise.Expect(t, n < before+more, exercise.Verdict{
			Expected: "ctx ends while events keep coming: Serve returns",
			Happened: fmt.Sprintf("it wrote %d more events for a client that had gone, and so on", n-before)})
		err, ok := w.result()
		exercise.Expect(t, ok && err == nil, exercise.Verdict{
			Expected: "ctx ends while events keep coming: Serve returns nil", Happened: whatOf(err, ok)})
	})
}

func TestClientGoesDuringAWrite(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang), exercise.LeakMeans(leak))
	exercise.Bubble(t, func(t *testing.T) {
		w := serve(t.Context(), t, &connection{}, 100)
		defer w.stopIfFailed(t)
		release := w.hold()
		for range 3 {
			w.events <- "event"
		}
		synctest.Wait()
		w.cancel()
		synctest.Wait()
		release()
		err, ok := w.result()
		exercise.Expect(t, ok && err == nil, exercise.Verdict{
			Expected: "ctx ends while a write is going on, then the write succeeds: Serve returns nil",
			Happened: whatOf(err, ok)})
	})
}

func TestServerEndsTheWatch(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang), exercise.LeakMeans(leak))
	for _, queued := range []int{0, 1, 3, 100} {
		exercise.Bubble(t, func(t *testing.T) {
			w := serve(t.Context(), t, &connection{}, 100)
			defer w.stopIfFailed(t)
			release := w.hold()
			for range queued {
				w.events <- "event"
			}
			w.end()
			release()
			v := exercise.Verdict{
				Expected: fmt.Sprintf("events is closed with %d events in it: they are written, and Serve returns nil",
					queued)}
			before := w.log()
			err, ok := w.result()
			if !ok {
				time.Sleep(time.Hour)
				w.cancel()
				synctest.Wait()
				v.Happened = "it goes on"
				if _, ok := w.result(); ok && w.log() == before {
					v.Happened = "it waits until ctx ends"
					v.PointsTo = clientEnds
				}
				exercise.Fail(t, v)
			}
			written := w.client + w.buffered // net/http flushes when the handler returns
			v.Happened = fmt.Sprintf("written: %s; returned: %v", short(written), err)
			exercise.Expect(t, err == nil && written == strings.Repeat("event\n", queued), v)
		})
	}
}

func TestWriteFails(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang), exercise.LeakMeans(leak))
	reset := errors.New("connection reset by peer")
	for n := 1; n <= 6; n++ {
		exercise.Bubble(t, func(t *testing.T) {
			w := serve(t.Context(), t, &connection{failFrom: n, gone: reset}, 100)
			defer w.stop()
			for range 3 {
				w.events <- "event"
				synctest.Wait()
			}
			if !w.failed {
				w.end()
			}
			v := exercise.Verdict{
				Expected: fmt.Sprintf("write %d fails: Serve returns its error, and writes no more", n)}
			err, ok := w.result()
			v.Happened = whatOf(err, ok)
			if w.after > 0 {
				v.Happened += fmt.Sprintf("; it wrote %d times more to a connection that is broken", w.after)
				if !ok {
					v.PointsTo = writesWork
				}
			}
			if !w.failed {
				exercise.Expect(t, ok && err == nil, exercise.Verdict{
					Expected: "events is closed: Serve returns nil", Happened: v.Happened})
				return
			}
			exercise.Expect(t, ok && errors.Is(err, reset) && w.after == 0, v)
		})
	}
}

func TestLastWriteFails(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang), exercise.LeakMeans(leak))
	reset := errors.New("connection reset by peer")
	for n := 1; n <= 6; n++ {
		exercise.Bubble(t, func(t *testing.T) {
			w := serve(t.Context(), t, &connection{failFrom: n, gone: reset}, 100)
			defer w.stopIfFailed(t)
			release := w.hold()
			for range 3 {
				w.events <- "event"
				synctest.Wait()
			}
			w.end()
			release()
			err, ok := w.result()
			happened := whatOf(err, ok)
			if !w.failed {
				exercise.Expect(t, ok && err == nil, exercise.Verdict{
					Expected: "events is closed: Serve returns nil", Happened: happened})
				return
			}
			if w.after > 0 {
				happened += fmt.Sprintf("; it wrote %d times more to a connection that is broken", w.after)
			}
			exercise.Expect(t, ok && errors.Is(err, reset) && w.after == 0, exercise.Verdict{
				Expected: fmt.Sprintf("events is closed with events in it, and write %d fails: "+
					"Serve returns its error, and writes no more", n),
				Happened: happened})
		})
	}
}

func TestAnyErrorOfAWrite(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang), exercise.LeakMeans(leak))
	for _, gone := range []error{io.EOF, io.ErrClosedPipe, io.ErrShortWrite, context.Canceled,
		context.DeadlineExceeded, syscall.EPIPE, syscall.ECONNRESET, net.ErrClosed, http.ErrHandlerTimeout} {
		exercise.Bubble(t, func(t *testing.T) {
			w := serve(t.Context(), t, &connection{failFrom: 1, gone: gone}, 100)
			defer w.stop()
			w.events <- "event"
			synctest.Wait()
			err, ok := w.result()
			exercise.Expect(t, ok && errors.Is(err, gone), exercise.Verdict{
				Expected: fmt.Sprintf("a write fails with %q, while ctx goes on: Serve returns that", gone),
				Happened: whatOf(err, ok)})
		})
	}
}

// Nothing that a Serve started is left when a write has failed, although nothing else ends.
func TestNothingIsLeftAfterAFailure(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang), exercise.LeakMeans(leak))
	exercise.Bubble(t, func(t *testing.T) {
		w := serve(t.Context(), t, &connection{failFrom: 1, gone: errors.New("broken pipe")}, 100)
		defer w.stopIfFailed(t)
		w.events <- "event"
		synctest.Wait()
		err, ok := w.result()
		exercise.Expect(t, ok && err != nil, exercise.Verdict{
			Expected: "a write fails: Serve returns its error", Happened: whatOf(err, ok)})
		w.events <- "nobody takes this"
		synctest.Wait()
		exercise.Expect(t, len(w.events) == 1, exercise.Verdict{
			Expected: "Serve has returned: nobody takes the next event",
			Happened: "somebody took it"})
	})
}

func TestManyClients(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	exercise.Bubble(t, func(t *testing.T) {
		a := serve(t.Context(), t, &connection{}, 100)
		b := serve(t.Context(), t, &connection{}, 100)
		defer a.stop()
		defer b.stop()
		exercise.Expect(t, a.headers && b.headers, exercise.Verdict{
			Expected: "two clients: each has its header before the first event",
			Happened: fmt.Sprintf("the first one has it: %t; the second one: %t", a.headers, b.headers)})
		release := a.hold()
		a.events <- "for a"
		synctest.Wait()
		b.events <- "for b"
		lines, _, _ := b.lines()
		exercise.Expect(t, slices.Equal(lines, []string{"for b"}), exercise.Verdict{
			Expected: `two clients, and the network to a is busy: b has its line at once, "for b"`,
			Happened: fmt.Sprintf("it has %q", lines)})
		release()
		lines, _, _ = a.lines()
		exercise.Expect(t, slices.Equal(lines, []string{"for a"}), exercise.Verdict{
			Expected: `the network to a is free again: a has its line, "for a"`,
			Happened: fmt.Sprintf("it has %q", lines)})
	})
}

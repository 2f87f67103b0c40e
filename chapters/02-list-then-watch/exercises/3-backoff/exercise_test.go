package backoff

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

const (
	quits     = "the belief that an error is the end. A server that restarts is back in a minute, and a client that gave up is not"
	slow      = "the belief that every end of a watch is a failure. The server ends each watch after some minutes, and a client that waits then is late for no reason"
	hot       = "the belief that a failed request may be sent again at once. All clients of a server that is down do so, as fast as it can refuse"
	grows     = "the belief that a server that did not answer just now will answer after the same time again. The longer it is away, the more clients wait for it"
	capped    = "the belief that doubling is harmless. Without a limit the delay is hours before anybody notices"
	overflows = "the belief that a number may grow if its limit is applied afterwards. A second, doubled 34 times, is more than a time.Duration can hold"
	jitter    = "the belief that a delay must only be long enough. Clients that failed together come back together, and the server fails again"
	goodOrder = "the belief that an end in good order cannot be a failure. A server that accepts each watch and closes it at once makes an endless loop of it"
	resets    = "the belief that failures add up for ever. A client that has worked for a day since its last failure meets a first failure, not a sixth"
	resetsToo = "the belief that only a failure says anything about the next delay. A watch that lasts ten minutes shows that the server is well, however it ends"
	opened    = "the belief that a watch that was opened has succeeded. A server in trouble accepts watches and breaks them, and each would start the delays anew"
	closed    = "the belief that an end in good order shows that the server is well. One in trouble may also close what it accepted, and each end would start the delays anew"
	retry     = "the belief that the client knows best when to come again. The server said how long it wants to be left alone"
	wrapped   = "the belief that the error that arrives is the one that was made. On its way somebody may have put words around it"
	retryOnly = "the belief that Retry-After replaces the delay. It is the same small number for all clients and all attempts: a floor, not a plan"
	late      = "the belief that a delay is short enough to wait for its end. The program that wants to stop waits with it"
)

func TestGoesOn(t *testing.T) {
	exercise.Attempted(t)
	x := keep(t, 0, call{err: errFailed}, call{lasts: time.Minute})
	x.calls(3, quits)
}

func TestNoDelayAfterAnEndInGoodOrder(t *testing.T) {
	exercise.Attempted(t)
	x := keep(t, 0, call{lasts: time.Minute}, call{lasts: time.Minute}, call{lasts: time.Hour})
	x.calls(4, quits)
	x.delays(slow, 0, 0, 0)
}

func TestDelaysGrow(t *testing.T) {
	exercise.Attempted(t)
	x := keep(t, 0, fails(5)...)
	x.calls(6, quits)
	if x.pauses[0] == 0 {
		x.delays(hot, 1, 2, 4, 8, 16)
	}
	x.delays(grows, 1, 2, 4, 8, 16)
}

func TestLongestDelay(t *testing.T) {
	exercise.Attempted(t)
	x := keep(t, 0, fails(80)...)
	for i, d := range x.pauses[min(5, len(x.pauses)):] {
		about := capped
		if i > 0 { // there is a limit
			about = overflows
		}
		exercise.Expect(t, d == 30*time.Second, exercise.Verdict{
			Expected: fmt.Sprintf("Base is 1s, Cap is 30s, and the delay after failure %d is 30s", i+6),
			Happened: fmt.Sprintf("it was %v", d),
			PointsTo: about,
		})
	}
	x.calls(81, quits)
}

func TestRandomPart(t *testing.T) {
	exercise.Attempted(t)
	x := keep(t, 0.5, fails(6)...)
	x.calls(7, quits)
	x.delays(jitter, 1.5, 3, 6, 12, 24, 45)
}

func TestEndAtOnce(t *testing.T) {
	exercise.Attempted(t)
	x := keep(t, 0, call{}, call{}, call{lasts: 10 * time.Millisecond})
	x.calls(4, quits)
	x.delays(goodOrder, 1, 2, 4)
}

func TestStartsAnew(t *testing.T) {
	exercise.Attempted(t)
	x := keep(t, 0, append(fails(4), call{lasts: 10 * time.Minute, err: errFailed}, call{err: errFailed})...)
	x.calls(7, quits)
	x.delays(resets, 1, 2, 4, 8, 1, 2)

	x = keep(t, 0, append(fails(4), call{lasts: 10 * time.Minute}, call{err: errFailed})...)
	x.calls(7, quits)
	x.delays(resetsToo, 1, 2, 4, 8, 0, 1)
}

func TestShortSuccess(t *testing.T) {
	exercise.Attempted(t)
	five := call{lasts: 5 * time.Second, err: errFailed}
	x := keep(t, 0, five, five, five, five)
	x.calls(5, quits)
	x.delays(opened, 1, 2, 4, 8)

	x = keep(t, 0, call{err: errFailed}, call{err: errFailed}, call{lasts: 5 * time.Second}, call{err: errFailed})
	x.calls(5, quits)
	x.delays(closed, 1, 2, 0, 4)
}

func TestRetryAfter(t *testing.T) {
	exercise.Attempted(t)
	x := keep(t, 0, call{err: &Busy{RetryAfter: 20 * time.Second}}, call{err: fmt.Errorf("watching: %w", &Busy{RetryAfter: 20 * time.Second})})
	x.calls(3, quits)
	if x.pauses[0] == 20*time.Second { // only the second 429 was not seen to be one
		x.delays(wrapped, 20, 20)
	}
	x.delays(retry, 20, 20)

	x = keep(t, 0, append(fails(3), call{err: &Busy{RetryAfter: time.Second}}, call{err: errFailed})...)
	x.calls(6, quits)
	x.delays(retryOnly, 1, 2, 4, 8, 16)
}

func TestStops(t *testing.T) {
	exercise.Attempted(t, exercise.LeakMeans(late), exercise.HangMeans(late))
	exercise.Bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		start, calls := time.Now(), 0
		done := make(chan time.Duration, 1)
		go func() {
			b := backoff(0)
			b.Base = time.Hour
			b.Cap = time.Hour
			b.Keep(ctx, func(context.Context) error { calls++; return errFailed })
			done <- time.Since(start)
		}()
		time.Sleep(time.Minute)
		cancel()
		took := <-done
		exercise.Expect(t, took == time.Minute && calls == 1, exercise.Verdict{
			Expected: "the context ends one minute into a delay of an hour, and Keep returns then, without another call",
			Happened: fmt.Sprintf("it returned after %v and %d calls", took, calls),
			PointsTo: late,
		})
	})
}

var errFailed = errors.New("connection refused")

// call is what a watch does.
type call struct {
	lasts time.Duration
	err   error
}

// fails is n watches that fail at once.
func fails(n int) []call {
	c := make([]call, n)
	for i := range c {
		c[i].err = errFailed
	}
	return c
}

func backoff(random float64) *Backoff {
	return &Backoff{Base: time.Second, Cap: 30 * time.Second, Reset: 2 * time.Minute, Rand: func() float64 { return random }}
}

// run is a call of Keep: the pauses between the watches.
type run struct {
	t      *testing.T
	script []call
	begun  int
	pauses []time.Duration
}

// keep runs Keep with watches that do as the script says; the one after the last waits for the end.
func keep(t *testing.T, random float64, script ...call) *run {
	t.Helper()
	x := &run{t: t, script: script}
	exercise.Bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var ended time.Time
		done := make(chan struct{})
		over := make(chan struct{})
		go func() {
			defer close(done)
			backoff(random).Keep(ctx, func(ctx context.Context) error {
				if x.begun > 0 {
					x.pauses = append(x.pauses, time.Since(ended))
				}
				x.begun++
				if x.begun > len(script) {
					close(over)
					<-ctx.Done()
					return ctx.Err()
				}
				c := script[x.begun-1]
				time.Sleep(c.lasts)
				ended = time.Now()
				return c.err
			})
		}()
		select {
		case <-over:
		case <-done:
		case <-time.After(30 * 24 * time.Hour):
		}
		cancel()
		<-done
	})
	return x
}

// story is what the watches did.
func (x *run) story() string {
	var s []string
	for i := 0; i < len(x.script); i++ {
		n := 1
		for i+1 < len(x.script) && x.script[i+1] == x.script[i] {
			i, n = i+1, n+1
		}
		c := x.script[i]
		what := map[bool]string{true: "ends in good order", false: "fails"}[c.err == nil]
		var busy *Busy
		if errors.As(c.err, &busy) {
			what = fmt.Sprintf("is refused with Retry-After %v", busy.RetryAfter)
			if c.err != error(busy) {
				what += fmt.Sprintf(" (the error is %q)", c.err)
			}
		}
		when := "at once"
		if c.lasts > 0 {
			when = fmt.Sprintf("after %v", c.lasts)
		}
		times := ""
		if n > 1 {
			times = fmt.Sprintf(", %d times", n)
		}
		s = append(s, fmt.Sprintf("a watch %s %s%s", what, when, times))
	}
	return strings.Join(s, ", then ")
}

func (x *run) calls(want int, belief string) {
	x.t.Helper()
	exercise.Expect(x.t, x.begun == want, exercise.Verdict{
		Expected: fmt.Sprintf("%s; Keep calls watch again after each", x.story()),
		Happened: fmt.Sprintf("it called watch %d times, and then no more", x.begun),
		PointsTo: belief,
	})
}

// delays compares the pauses, in seconds, to a microsecond.
func (x *run) delays(belief string, want ...float64) {
	x.t.Helper()
	var wanted []time.Duration
	same := len(x.pauses) == len(want)
	for i, s := range want {
		wanted = append(wanted, time.Duration(s*float64(time.Second)))
		same = same && (x.pauses[i]-wanted[i]).Abs() < time.Microsecond
	}
	random := ""
	if r := backoff(0); len(want) > 0 && want[0] == 1.5 {
		random = fmt.Sprintf(" (Base %v, Rand always 0.5)", r.Base)
	}
	exercise.Expect(x.t, same, exercise.Verdict{
		Expected: fmt.Sprintf("%s; the delays are %v%s", x.story(), wanted, random),
		Happened: fmt.Sprintf("they were %v", x.pauses),
		PointsTo: belief,
	})
}

package backoff_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"slices"
	"testing"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/exercises/3-backoff"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// endless is what a hang means in any of these tests: their watches end by themselves, or with their context.
var endless = exercise.HangMeans("a wait that does not end with ctx, in Keep or in the watch that it called with " +
	"another context; or a loop that looks at the clock without a pause")

func TestGoesOn(t *testing.T) {
	exercise.Attempted(t, endless)
	x := keep(t, backoff(0), call{lasts: 10 * time.Second, err: errFailed}, call{lasts: time.Minute})
	about := ""
	if x.begun == 1 {
		about = "the belief that an error is the end. " +
			"A server that restarts is back in a minute, and a client that gave up is not"
	}
	x.calls(about)
}

func TestNoDelayAfterAnEndInGoodOrder(t *testing.T) {
	exercise.Attempted(t, endless)
	const belief = "the belief that every end of a watch is a failure. " +
		"The server ends each watch after some minutes, and a client that waits then is late for no reason"
	x := keep(t, backoff(0), call{lasts: time.Minute}, call{lasts: time.Minute}, call{lasts: time.Minute})
	x.delays(clues{"[1s 2s 4s]": belief, "[1s 1s 1s]": belief}, 0, 0, 0)
	keep(t, backoff(0), call{lasts: AtOnce}, call{lasts: time.Hour}).delays(nil, 0, 0)
}

func TestDelaysGrow(t *testing.T) {
	exercise.Attempted(t, endless)
	b, drawn := backoff(0), 0
	b.Rand = func() float64 { drawn++; return 0 }
	x := keep(t, b, fails(5)...)
	zeros := "the belief that a failed request may be sent again at once. " +
		"All clients of a server that is down do so, as fast as it can refuse"
	if drawn > 0 {
		zeros = "the belief that the random part replaces the delay. " +
			"It is added: a client that draws 0 would come back at once"
	}
	x.delays(clues{
		"[0s 0s 0s 0s 0s]": zeros,
		"[1s 1s 1s 1s 1s]": "the belief that a server that did not answer just now will answer after the same time " +
			"again. The longer it is away, the more clients wait for it",
	}, 1, 2, 4, 8, 16)
	b = backoff(0)
	b.Base = 300 * time.Millisecond
	keep(t, b, fails(4)...).delays(nil, 0.3, 0.6, 1.2, 2.4)
}

func TestLongestDelay(t *testing.T) {
	exercise.Attempted(t, endless)
	x := keep(t, backoff(0), fails(80)...)
	for i, d := range x.pauses {
		about := ""
		switch {
		case i < 5: // TestDelaysGrow looks at these
			continue
		case i == 5 && d == 32*time.Second:
			about = "the belief that doubling is harmless. Without a limit the delay is hours before anybody notices"
		case i > 30 && d < time.Second:
			about = "the belief that a number may grow if its limit is applied afterwards. " +
				"A second, doubled 34 times, is more than a time.Duration can hold"
		}
		exercise.Expect(t, d == 30*time.Second, exercise.Verdict{
			Expected: fmt.Sprintf("Base is 1s, Cap is 30s, and the delay after failure %d is 30s", i+1),
			Happened: fmt.Sprintf("it was %v", d),
			PointsTo: about,
		})
	}
	x.calls("")
	b := backoff(0)
	b.Cap = 7 * time.Second
	keep(t, b, fails(5)...).delays(nil, 1, 2, 4, 7, 7)
}

func TestRandomPart(t *testing.T) {
	exercise.Attempted(t, endless)
	keep(t, backoff(0.5), fails(6)...).delays(clues{
		"[1s 2s 4s 8s 16s 30s]": "the belief that a delay must only be long enough. " +
			"Clients that failed together come back together, and the server fails again",
	}, 1.5, 3, 6, 12, 24, 45)
	keep(t, backoff(0.123456), fails(3)...).delays(nil, 1.123456, 2.246912, 4.493824)
	b := backoff(0.5)
	b.Base = 1500 * time.Microsecond
	keep(t, b, fails(3)...).delays(nil, 0.00225, 0.0045, 0.009)
}

func TestEndAtOnce(t *testing.T) {
	exercise.Attempted(t, endless)
	x := keep(t, backoff(0), call{}, call{}, call{lasts: AtOnce - 1}, call{err: errFailed})
	x.delays(clues{"[0s 0s 0s 1s]": "the belief that an end in good order cannot be a failure. " +
		"A server that accepts each watch and closes it at once makes an endless loop of it"}, 1, 2, 4, 8)
}

func TestStartsAnew(t *testing.T) {
	exercise.Attempted(t, endless)
	x := keep(t, backoff(0), append(fails(4), call{lasts: 10 * time.Minute, err: errFailed}, call{err: errFailed})...)
	x.delays(clues{"[1s 2s 4s 8s 16s 30s]": "the belief that failures add up for ever. A client that has worked for " +
		"a day since its last failure meets a first failure, not a sixth"}, 1, 2, 4, 8, 1, 2)
	x = keep(t, backoff(0), slices.Concat(fails(4), []call{{lasts: 10 * time.Minute}}, fails(2))...)
	x.delays(clues{"[1s 2s 4s 8s 0s 16s 30s]": "the belief that only a failure says anything about the next delay. " +
		"A watch that lasts ten minutes shows that the server is well, however it ends"}, 1, 2, 4, 8, 0, 1, 2)
	long, short := call{lasts: 10 * time.Minute}, call{lasts: 5 * time.Second}
	keep(t, backoff(0), slices.Concat(fails(4), []call{long, short}, fails(2))...).delays(nil, 1, 2, 4, 8, 0, 0, 1, 2)
	keep(t, backoff(0), slices.Concat(fails(2), []call{long, {}}, fails(1))...).delays(nil, 1, 2, 0, 1, 2)
}

func TestShortSuccess(t *testing.T) {
	exercise.Attempted(t, endless)
	keep(t, backoff(0), slices.Repeat([]call{{lasts: 5 * time.Second, err: errFailed}}, 4)...).delays(clues{
		"[1s 1s 1s 1s]": "the belief that a watch that was opened has succeeded. A server in trouble accepts watches " +
			"and breaks them, and each would start the delays anew",
	}, 1, 2, 4, 8)
	keep(t, backoff(0), append(fails(2), call{lasts: 5 * time.Second}, call{err: errFailed})...).delays(clues{
		"[1s 2s 0s 1s]": "the belief that an end in good order shows that the server is well. " +
			"One in trouble may also close what it accepted, and each end would start the delays anew",
	}, 1, 2, 0, 4)
}

func TestRetryAfter(t *testing.T) {
	exercise.Attempted(t, endless)
	busy := func(after time.Duration) call { return call{err: &Busy{RetryAfter: after}} }
	wrapped := call{err: fmt.Errorf("watching: %w", &Busy{RetryAfter: 20 * time.Second})}
	keep(t, backoff(0), busy(20*time.Second), wrapped).delays(clues{
		"[1s 2s]": "the belief that the client knows best when to come again. " +
			"The server said how long it wants to be left alone",
		"[20s 2s]": "the belief that the error that arrives is the one that was made. " +
			"On its way somebody may have put words around it",
	}, 20, 20)
	two := call{err: fmt.Errorf("watching: %w, and then %w", errFailed, &Busy{RetryAfter: 20 * time.Second})}
	keep(t, backoff(0), two).delays(nil, 20)
	keep(t, backoff(0), append(fails(3), busy(time.Second), call{err: errFailed})...).delays(clues{
		"[1s 2s 4s 1s 16s]": "the belief that Retry-After replaces the delay. " +
			"It is the same small number for all clients and all attempts: a floor, not a plan",
	}, 1, 2, 4, 8, 16)
	keep(t, backoff(0), busy(0), busy(-time.Second), busy(5*time.Second), call{err: errFailed}).delays(nil, 1, 2, 5, 8)
	keep(t, backoff(0), busy(10*time.Minute), call{err: errFailed}).delays(clues{
		"[10m0s 1s]": "the belief that time without a failure is time that the server was well. " +
			"These ten minutes were a delay",
	}, 600, 2)
	late := call{lasts: 10 * time.Minute, err: &Busy{RetryAfter: 20 * time.Second}}
	keep(t, backoff(0), append(fails(3), late, call{err: errFailed})...).delays(nil, 1, 2, 4, 20, 2)
	keep(t, backoff(0.5), busy(20*time.Second), busy(2*time.Second), busy(5*time.Second)).delays(nil, 20, 3, 6)
}

func TestStops(t *testing.T) {
	exercise.Attempted(t, endless)
	calls, took := 0, time.Duration(0)
	exercise.Bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		start := time.Now()
		b := backoff(0)
		b.Base, b.Cap = time.Hour, time.Hour
		b.Keep(ctx, func(context.Context) error { calls++; return errFailed })
		took = time.Since(start)
	})
	about := ""
	if took == time.Hour && calls == 1 {
		about = "the belief that a delay is short enough to wait for its end. " +
			"The program that wants to stop waits with it"
	}
	exercise.Expect(t, took == time.Minute && calls == 1, exercise.Verdict{
		Expected: "ctx ends one minute into a delay of an hour, and Keep returns then, without another call",
		Happened: fmt.Sprintf("it returned after %v and %d calls", took, calls),
		PointsTo: about,
	})
}

func TestEachDelayHasItsOwnRandomPart(t *testing.T) {
	exercise.Attempted(t, endless)
	var drawn []float64
	b := backoff(0)
	b.Rand = func() float64 { // no number comes twice
		drawn = append(drawn, math.Mod(float64(len(drawn)+1)*0.377, 1))
		return drawn[len(drawn)-1]
	}
	x := keep(t, b, fails(8)...)
	x.calls("")
	left := slices.Clone(drawn)
	for i, d := range []time.Duration{1, 2, 4, 8, 16, 30, 30, 30} {
		d *= time.Second
		at := slices.IndexFunc(left, func(r float64) bool {
			return (x.pauses[i] - d - time.Duration(r*float64(d))).Abs() <= time.Microsecond
		})
		exercise.Expect(t, at >= 0, exercise.Verdict{
			Expected: fmt.Sprintf("the delay after failure %d is %v and "+
				"%[2]v times a number from Rand that no other delay has", i+1, d),
			Happened: fmt.Sprintf("it was %v, and Rand had returned %.3f in all; the delays before were %v",
				x.pauses[i], drawn, x.pauses[:i]),
		})
		left = slices.Delete(left, at, at+1)
	}
}

func TestNothingElseStartsAnew(t *testing.T) {
	exercise.Attempted(t, endless)
	most := call{lasts: 90 * time.Second}
	keep(t, backoff(0), append(fails(2), most, most, most, call{err: errFailed})...).delays(nil, 1, 2, 0, 0, 0, 4)
	b := backoff(0)
	b.Reset, b.Cap = 10*time.Second, time.Minute
	keep(t, b, fails(8)...).delays(nil, 1, 2, 4, 8, 16, 32, 60, 60)
	b = backoff(0)
	b.Reset = 10 * time.Second
	six := call{lasts: 6 * time.Second, err: errFailed}
	keep(t, b, six, six, six, six, six).delays(nil, 1, 2, 4, 8, 16)
}

func TestHowLongIsLong(t *testing.T) {
	exercise.Attempted(t, endless)
	reset := backoff(0).Reset
	broken, good := call{lasts: reset, err: errFailed}, call{lasts: reset}
	x := keep(t, backoff(0), slices.Concat(fails(2), []call{broken}, fails(1), []call{good}, fails(1))...)
	x.delays(nil, 1, 2, 1, 2, 0, 1)
	broken.lasts, good.lasts = reset-1, reset-1
	keep(t, backoff(0), slices.Concat(fails(2), []call{broken, good}, fails(1))...).delays(nil, 1, 2, 4, 0, 8)
	b := backoff(0)
	b.Reset = AtOnce / 2
	keep(t, b, call{err: errFailed}, call{lasts: AtOnce / 2}, call{lasts: AtOnce / 2}, call{}).delays(nil, 1, 1, 1, 2)
}

func TestErrorsAboutContexts(t *testing.T) {
	exercise.Attempted(t, endless)
	const belief = "the belief that an error about a context is about the context of Keep. " +
		"A watch, and what it calls, may have deadlines of its own"
	wrapped := fmt.Errorf("watching: %w", context.DeadlineExceeded)
	for _, err := range []error{context.DeadlineExceeded, context.Canceled, wrapped} {
		x := keep(t, backoff(0), call{lasts: 10 * time.Second, err: err}, call{err: err})
		x.calls(belief)
		x.delays(nil, 1, 2)
	}
}

func TestEveryErrorIsAFailure(t *testing.T) {
	exercise.Attempted(t, endless)
	const belief = "the belief that io.EOF is an end in good order. " +
		"It is that of a body; a watch that ended so returns nil, and this one did not"
	// io.EOF is the last, so that who takes every late error for an end is not told this belief
	for _, err := range []error{
		net.ErrClosed, os.ErrDeadlineExceeded, io.ErrUnexpectedEOF, &Busy{}, io.EOF, fmt.Errorf("decoding: %w", io.EOF),
	} {
		about := clues{}
		if errors.Is(err, io.EOF) {
			about["[0s 1s]"] = belief
		}
		keep(t, backoff(0), call{lasts: 10 * time.Second, err: err}, call{err: err}).delays(about, 1, 2)
	}
}

func TestCapBelowBase(t *testing.T) {
	exercise.Attempted(t, endless)
	b := backoff(0)
	b.Base, b.Cap = time.Minute, 10*time.Second
	keep(t, b, append(fails(2), call{lasts: time.Hour}, call{err: errFailed})...).delays(nil, 10, 10, 0, 10)
	exercise.Expect(t, b.Base == time.Minute && b.Cap == 10*time.Second, exercise.Verdict{
		Expected: "Base is 1m0s, and Cap 10s, and they are the same when Keep has returned",
		Happened: fmt.Sprintf("Base was %v, and Cap %v", b.Base, b.Cap),
	})
}

// The delays here are hundreds of years, so that the test looks only at whether the next call comes too early.
func TestVeryLongDelays(t *testing.T) {
	exercise.Attempted(t, endless)
	const longest = math.MaxInt64
	for _, d := range []struct {
		base   time.Duration
		random float64
		calls  int // that come before the delay that is not waited for
	}{{longest/2 + 1, 0, 2}, {longest - 1, 0, 1}, {longest, 0.5, 1}, {longest, 0.999, 1}, {longest, 0.99999999, 1}} {
		calls := 0
		exercise.Bubble(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				b := &Backoff{Base: d.base, Cap: longest, Reset: longest, Rand: func() float64 { return d.random }}
				b.Keep(ctx, func(context.Context) error {
					if calls++; calls > d.calls {
						cancel()
					}
					return errFailed
				})
			}()
			if d.calls > 1 {
				time.Sleep(d.base)
			}
			select {
			case <-time.After(24 * time.Hour):
			case <-ctx.Done():
			}
			cancel()
			<-done
		})
		exercise.Expect(t, calls == d.calls, exercise.Verdict{
			Expected: fmt.Sprintf("Base is %v, Cap %v (the longest time.Duration), Rand returns %v; "+
				"after failure %d the delay is %[2]v",
				d.base, time.Duration(longest), d.random, d.calls),
			Happened: fmt.Sprintf("watch had been called %d times a day later", calls),
		})
	}
}

func TestStopsWithTheWatch(t *testing.T) {
	exercise.Attempted(t, endless)
	for _, err := range []error{nil, errFailed, context.Canceled, &Busy{RetryAfter: time.Hour}} {
		calls, took := 0, time.Duration(0)
		exercise.Bubble(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			start := time.Now()
			backoff(0).Keep(ctx, func(ctx context.Context) error {
				if calls++; calls > 3 {
					return nil
				}
				<-ctx.Done()
				time.Sleep(5 * time.Second)
				return err
			})
			took = time.Since(start)
			time.Sleep(time.Minute)
		})
		exercise.Expect(t, took == 65*time.Second && calls == 1, exercise.Verdict{
			Expected: fmt.Sprintf("ctx ends after 1m0s, the watch returns the error %v 5s later, "+
				"and Keep returns then, without another call", err),
			Happened: fmt.Sprintf("it returned after %v and %d calls", took, calls),
		})
	}
}

func TestContextThatHasEnded(t *testing.T) {
	exercise.Attempted(t, endless)
	calls := 0
	exercise.Bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		backoff(0).Keep(ctx, func(context.Context) error { calls++; return errors.New("the context has ended") })
	})
	exercise.Expect(t, calls == 0, exercise.Verdict{
		Expected: "ctx has ended before Keep is called, and watch is never called",
		Happened: fmt.Sprintf("it was called %d times", calls),
	})
}

func TestOneBackoffForSeveralCalls(t *testing.T) {
	exercise.Attempted(t, endless)
	b := backoff(0)
	for range 2 {
		keep(t, b, fails(3)...).delays(nil, 1, 2, 4)
	}
	two := []*run{{t: t, b: b, script: fails(3)}, {t: t, b: b, script: fails(6)}}
	exercise.Bubble(t, func(t *testing.T) {
		done := make(chan struct{})
		for _, x := range two {
			go func() {
				defer func() { done <- struct{}{} }()
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				x.play(ctx, cancel)
			}()
			time.Sleep(time.Second / 2) // so that they take turns
		}
		<-done
		<-done
	})
	two[0].delays(nil, 1, 2, 4)
	two[1].delays(nil, 1, 2, 4, 8, 16, 30)
	exercise.Expect(t, b.Base == time.Second && b.Cap == 30*time.Second && b.Reset == 2*time.Minute, exercise.Verdict{
		Expected: "Base is 1s, Cap 30s and Reset 2m0s, as before",
		Happened: fmt.Sprintf("Base was %v, Cap %v and Reset %v", b.Base, b.Cap, b.Reset),
	})
}

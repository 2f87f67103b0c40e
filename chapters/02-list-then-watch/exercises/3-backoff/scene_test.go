package backoff_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/exercises/3-backoff"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

var errFailed = errors.New("connection refused")

// call is what a watch does.
type call struct {
	lasts time.Duration
	err   error
}

// fails is n watches that fail at once.
func fails(n int) []call {
	return slices.Repeat([]call{{err: errFailed}}, n)
}

// backoff is the Backoff of most tests. Its Rand always returns the same.
func backoff(random float64) *Backoff {
	return &Backoff{
		Base: time.Second, Cap: 30 * time.Second, Reset: 2 * time.Minute,
		Rand: func() float64 { return random },
	}
}

// patience is how long a test waits for the next call before it takes the last one for the last.
const patience = 30 * 24 * time.Hour

// run is a call of Keep: the pauses between the watches, and what else was seen of it.
type run struct {
	t      *testing.T
	b      *Backoff
	script []call

	mu       sync.Mutex
	begun    int
	running  int
	pauses   []time.Duration
	ended    time.Time
	together bool // two watches ran at the same time
	cut      bool // the context of a watch ended during the watch
	returned bool // Keep returned by itself
}

// keep runs Keep with watches that do as the script says; the one after the last waits for the end.
func keep(t *testing.T, b *Backoff, script ...call) *run {
	t.Helper()
	x := &run{t: t, b: b, script: script}
	exercise.Bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		x.play(ctx, cancel)
	})
	return x
}

// play is keep inside a bubble, where several may run at the same time.
func (x *run) play(ctx context.Context, cancel func()) {
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		x.b.Keep(ctx, func(ctx context.Context) error { return x.watch(ctx, over) })
	}()
	select {
	case <-over:
	case <-done:
		x.returned = true
	case <-time.After(x.span()):
	}
	cancel()
	<-done
}

// span is longer than all watches and all delays.
func (x *run) span() time.Duration {
	all := patience
	for _, c := range x.script {
		all += c.lasts
	}
	return all
}

// watch is one call of the function that Keep is given.
func (x *run) watch(ctx context.Context, over chan struct{}) error {
	n := x.begin()
	if n == len(x.script) {
		close(over)
	}
	if n >= len(x.script) {
		<-ctx.Done()
		x.end(false)
		return ctx.Err()
	}
	c := x.script[n]
	time.Sleep(c.lasts)
	x.end(ctx.Err() != nil)
	return c.err
}

// begin counts a call, from 0.
func (x *run) begin() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.begun > 0 {
		x.pauses = append(x.pauses, time.Since(x.ended).Round(time.Microsecond))
	}
	x.begun++
	x.running++
	x.together = x.together || x.running > 1
	return x.begun - 1
}

func (x *run) end(cut bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ended = time.Now()
	x.running--
	x.cut = x.cut || cut
}

// story is what the watches did.
func (x *run) story() string {
	var s []string
	for i := 0; i < len(x.script); i++ {
		n := 1
		for i+1 < len(x.script) && x.script[i+1] == x.script[i] {
			i, n = i+1, n+1
		}
		s = append(s, x.script[i].String())
		if n > 1 {
			s[len(s)-1] += fmt.Sprintf(", %d times", n)
		}
	}
	return fmt.Sprintf("Base is %v, Cap %v, Reset %v; %s", x.b.Base, x.b.Cap, x.b.Reset, strings.Join(s, ", then "))
}

// String tells it as a verdict does.
func (c call) String() string {
	what := "fails"
	var busy *Busy
	switch {
	case c.err == nil:
		what = "ends in good order"
	case errors.As(c.err, &busy):
		what = fmt.Sprintf("is refused with Retry-After %v", busy.RetryAfter)
		if c.err != error(busy) {
			what += fmt.Sprintf(" (the error is %q)", c.err)
		}
	case c.err != errFailed:
		what = fmt.Sprintf("fails (the error is %q)", c.err)
	}
	when := "at once"
	if c.lasts > 0 {
		when = fmt.Sprintf("after %v", c.lasts)
	}
	return fmt.Sprintf("a watch %s %s", what, when)
}

// calls wants as many calls as the script has, and one more. quits is what it points to when Keep returned instead.
func (x *run) calls(quits string) {
	x.t.Helper()
	exercise.Expect(x.t, !x.together, exercise.Verdict{
		Expected: "a call of watch begins when the one before has returned",
		Happened: "two calls ran at the same time",
	})
	about, happened := "", fmt.Sprintf("it called watch %d times, and not again within %v", x.begun, patience)
	switch {
	case x.begun > len(x.script)+1:
		happened = fmt.Sprintf("it called watch %d times, also after ctx had ended", x.begun)
	case x.returned:
		about, happened = quits, fmt.Sprintf("it called watch %d times, and returned", x.begun)
	}
	exercise.Expect(x.t, x.begun == len(x.script)+1, exercise.Verdict{
		Expected: fmt.Sprintf("%s; Keep calls watch again after each", x.story()),
		Happened: happened,
		PointsTo: about,
	})
	exercise.Expect(x.t, !x.cut, exercise.Verdict{
		Expected: fmt.Sprintf("%s; no watch's context ends while it lasts", x.story()),
		Happened: "one did, and the context of Keep had not",
	})
}

// clues tells which belief the delays point to, written "[1s 2s 4s]".
type clues map[string]string

// delays compares the pauses, in seconds, to a microsecond.
func (x *run) delays(about clues, want ...float64) {
	x.t.Helper()
	wanted := make([]time.Duration, len(want))
	for i, s := range want {
		wanted[i] = time.Duration(s * float64(time.Second)).Round(time.Microsecond)
	}
	x.calls("")
	exercise.Expect(x.t, slices.Equal(x.pauses, wanted), exercise.Verdict{
		Expected: fmt.Sprintf("%s; the delays are %v, with a Rand that always returns %v", x.story(), wanted,
			x.b.Rand()),
		Happened: fmt.Sprintf("they were %v", x.pauses),
		PointsTo: about[fmt.Sprint(x.pauses)],
	})
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/exercises/3-backoff"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// base and longest are the delays of this program: short enough to be waited for.
const base, longest = 200 * time.Millisecond, 2 * time.Second

// readersDelays are those of exercise 02.3.
func readersDelays() *backoff.Backoff {
	return &backoff.Backoff{Base: base, Cap: longest, Reset: time.Minute, Rand: rand.Float64}
}

// watches is how many watches the step opens: three are refused, one is told to come back later, two end in good order.
const watches = 6

// askedFor is how long the server asks to be left alone after the fourth.
const askedFor = 3 * time.Second

// delays has the reader's Keep open watches that fail.
func delays(ctx context.Context, l *lab.Lab) error {
	c := newCollection(l, faults.Written{
		{Request: 1, Kind: faults.Unavailable}, {Request: 2, Kind: faults.Unavailable},
		{Request: 3, Kind: faults.InternalError},
		{Request: 4, Kind: faults.TooMany, After: askedFor},
	})
	defer c.Close()
	keeping, stop := context.WithCancel(ctx)
	defer stop()
	opened, ended, waited := 0, time.Now(), []time.Duration(nil)
	readersDelays().Keep(keeping, func(ctx context.Context) error {
		if opened++; opened > 1 {
			waited = append(waited, time.Since(ended))
			l.Became("%s after the end of the one before", waited[opened-2].Round(10*time.Millisecond))
		}
		err := oneSecond(ctx, c, l)
		l.Wire("%s", outcome(err))
		if ended = time.Now(); opened == watches {
			stop()
		}
		return err
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if opened < watches {
		return fmt.Errorf("your Keep returned after %d watches, and its context had not ended: "+
			"make grade EX=02.3 says more", opened)
	}
	if err := rightDelays(waited); err != nil {
		return err
	}
	l.Conclude("Longer after each failure, " +
		"at least what the server asked for after the 429, and nothing after an end in good order.")
	return nil
}

// slack is how much later than its delay a watch may begin, on a machine that has other things to do. It is generous:
// the grader of the exercise has virtual time, and is exact.
const slack = 1500 * time.Millisecond

// rightDelays compares what was waited with what was due. The random part of a delay at most doubles it.
func rightDelays(waited []time.Duration) error {
	for i, delay := range []time.Duration{base, 2 * base, 4 * base, 8 * base} {
		least, most := delay, 2*delay
		if i == 3 {
			least, most = max(least, askedFor), max(most, askedFor)
		}
		w, bound := waited[i], ""
		switch {
		case w < least:
			bound = fmt.Sprintf("at least %v are due", least)
		case w > most+slack:
			bound = fmt.Sprintf("at most %v are due", most)
		default:
			continue
		}
		return fmt.Errorf("your Keep waited %v after failure %d, and %s: make grade EX=02.3 says more",
			w.Round(10*time.Millisecond), i+1, bound)
	}
	if w := waited[4]; w >= base+slack {
		return fmt.Errorf("your Keep waited %v after an end in good order, and no delay is due: "+
			"make grade EX=02.3 says more", w.Round(10*time.Millisecond))
	}
	return nil
}

// oneSecond is a watch that the server ends after a second.
func oneSecond(ctx context.Context, c *collection, l *lab.Lab) error {
	stream, err := c.through(l).Watch(ctx, c.path, watch.Options{TimeoutSeconds: 1})
	if err != nil {
		return busy(err)
	}
	defer stream.Close()
	for {
		if _, err := stream.Next(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// busy makes the exercise's error of a 429.
func busy(err error) error {
	var status *watch.StatusError
	if errors.As(err, &status) && status.Code == http.StatusTooManyRequests {
		return &backoff.Busy{RetryAfter: time.Duration(status.Details.RetryAfterSeconds) * time.Second}
	}
	return err
}

func outcome(err error) string {
	if err == nil {
		return "the end, in good order"
	}
	return err.Error()
}

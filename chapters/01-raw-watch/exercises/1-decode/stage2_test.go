// Stage 2: how the stream ended

package decode_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/1-decode"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestTheStreamEnds(t *testing.T) {
	exercise.Attempted(t)
	a, b := line("ADDED", "a", "5"), line("ADDED", "b", "6")
	d := NewDecoder(reads(io.EOF, a))
	_, _ = d.Next()
	event, err := d.Next()
	exercise.Expect(t, err == io.EOF, exercise.Verdict{
		Expected: "the stream ends behind its first event; the second call of Next returns io.EOF itself",
		Happened: "it returned " + outcome(event, err),
	})
	d = NewDecoder(reads(io.EOF, a, b[:40]))
	_, _ = d.Next()
	event, err = d.Next()
	exercise.Expect(t, err != nil && err != io.EOF, exercise.Verdict{
		Expected: "the stream ends inside of its second event; the second call of Next returns an error, " +
			"and not the io.EOF of a stream in which nothing is missing",
		Happened: "it returned " + outcome(event, err),
	})
}

func TestCutAtEveryByte(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	lines := []string{line("ADDED", "a", "5"), line("MODIFIED", "a", "6"), line("DELETED", "a", "7")}
	inTheSecond := len(lines[0]) + 40 // the cut to talk about first
	length := len(strings.Join(lines, ""))
	for i := range length + 1 {
		expectCut(t, lines, (inTheSecond+i)%(length+1))
	}
	long := []string{lineOf(200 << 10)}
	for full := 256; full <= 128<<10; full *= 2 { // a buffer is full
		for cut := full - 1; cut <= full+1; cut++ {
			expectCut(t, long, cut)
		}
	}
}

func TestEndTogetherWithTheBytes(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	a, b := line("ADDED", "a", "5"), line("ADDED", "b", "6")
	for _, tc := range []struct {
		what  string
		parts []string
		end   error
	}{
		{"one of two events", []string{a, b}, io.EOF},
		{"two events", []string{a + b}, io.EOF},
		{"half an event, and one more", []string{a[:20], a[20:] + b}, io.EOF},
		{"an event, and half of the next", []string{b, a + b[:20]}, io.ErrUnexpectedEOF},
	} {
		body := reads(io.EOF, tc.parts...)
		body.together = true
		events, event, err := take(NewDecoder(body), 3)
		exercise.Expect(t, len(events) == 2 && errors.Is(err, tc.end), exercise.Verdict{
			Expected: fmt.Sprintf("the last Read brings %s, and io.EOF as well; Next returns two events, then %v",
				tc.what, tc.end),
			Happened: fmt.Sprintf("%s, then %s", count(len(events)), outcome(event, err)),
		})
	}
}

func TestReadErrorIsReturned(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	a, b := line("ADDED", "a", "5"), line("ADDED", "b", "6")
	for _, failure := range []error{
		errors.New("read tcp 10.0.0.7: connection reset by peer"), context.Canceled, net.ErrClosed,
		os.ErrDeadlineExceeded, io.ErrUnexpectedEOF, // of net/http, when the last chunk is missing
		&net.OpError{Op: "read", Net: "tcp", Err: io.EOF},
	} {
		for _, tc := range []struct {
			where    string
			parts    []string
			together bool
			events   int
		}{
			{"between two events", []string{a, b}, false, 2},
			{"inside of an event", []string{a, b[:20]}, false, 1},
			{"before the first event", nil, false, 0},
			{"in the Read that brings the last event", []string{a, b}, true, 2},
			{"in the Read that brings half an event", []string{a + b[:20]}, true, 1},
		} {
			body := reads(failure, tc.parts...)
			body.together = tc.together
			events, event, err := take(NewDecoder(body), 3)
			told := fmt.Sprintf("%q", failure)
			if errors.Is(failure, io.EOF) {
				told += ", which wraps io.EOF"
			}
			v := exercise.Verdict{
				Expected: fmt.Sprintf("the reader fails %s with %s; "+
					"Next returns %s, then an error in which errors.Is finds that one", tc.where, told, count(tc.events)),
				Happened: fmt.Sprintf("%s, then %s", count(len(events)), outcome(event, err)),
			}
			if len(events) == tc.events && err == io.EOF {
				v.PointsTo = "the belief that there is one way in which reading stops. " +
					"Whoever gets io.EOF here thinks that the server finished the watch"
			}
			exercise.Expect(t, len(events) == tc.events && errors.Is(err, failure) && err != io.EOF, v)
		}
	}
}

func TestAfterTheEnd(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	a, reset := line("ADDED", "a", "5"), errors.New("connection reset by peer")
	for _, parts := range [][]string{{a}, {a, a[:40]}, nil, {a[:40]}, {strings.TrimSpace(a)}} {
		for _, end := range []error{io.EOF, reset} {
			d := NewDecoder(reads(end, parts...))
			_, _, first := take(d, 5)
			for call := range 3 {
				event, err := d.Next()
				exercise.Expect(t, err != nil, exercise.Verdict{
					Expected: fmt.Sprintf("the body was %q, then reading brought %q, and Next has returned an error; "+
						"each later call returns one, too", short(strings.Join(parts, "")), end),
					Happened: fmt.Sprintf("Next returned the error %q, and at call %d after that %s",
						first, call+1, outcome(event, err)),
				})
			}
		}
	}
}

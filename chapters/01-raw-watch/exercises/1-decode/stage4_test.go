// Stage 4: open for days, one among many

package decode_test

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/1-decode"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
)

func TestTheFirstObjectStays(t *testing.T) {
	exercise.Attempted(t)
	a := line("ADDED", "a", "5")
	d := NewDecoder(reads(io.EOF, a, line("ADDED", "b", "6")))
	first, _ := d.Next()
	_, _ = d.Next()
	exercise.Expect(t, is(first, a), exercise.Verdict{
		Expected: "two events; after the second call of Next the Object that the first returned is still " + objectOf(a),
		Happened: "it is " + string(first.Object),
	})
}

func TestObjectsAreTheCallers(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, longer := range []int{0, 1_000} { // bytes, from each event to the next
		var lines []string
		for i := range 60 {
			lines = append(lines, fakeapi.Line("ADDED", fakeapi.ConfigMap("default", fmt.Sprintf("object-%d", i+1), "5",
				"key", strings.Repeat(fmt.Sprint(i%10), i*longer))))
		}
		d, events := NewDecoder(strings.NewReader(strings.Join(lines, ""))), []Event{}
		for i, want := range lines {
			event, err := d.Next()
			expectEvent(t, event, err, want, fmt.Sprintf("a body of 60 events; call %d of Next", i+1))
			events = append(events, event)
		}
		for i, event := range events {
			exercise.Expect(t, is(event, lines[i]), exercise.Verdict{
				Expected: fmt.Sprintf("after 60 calls of Next the Object of event %d, of %d bytes, is what it was",
					i+1, len(lines[i])),
				Happened: "it is " + short(string(event.Object)),
				PointsTo: "the belief that a slice is a copy. " +
					"The bytes that were returned with one event are where a later one was written",
			})
		}
	}
	const own = "appended by the caller"
	a, b := line("ADDED", "a", "5"), line("ADDED", "b", "6")
	d := NewDecoder(strings.NewReader(a + b + a + b))
	var appended [][]byte
	for i, want := range []string{a, b, a, b} {
		event, err := d.Next()
		expectEvent(t, event, err, want, fmt.Sprintf("the caller writes over each Object that it has got, "+
			"and appends to it; call %d of Next", i+1))
		clear(event.Object)
		appended = append(appended, append(event.Object, own...))
	}
	for i, got := range appended {
		exercise.Expect(t, strings.HasSuffix(string(got), own), exercise.Verdict{
			Expected: fmt.Sprintf("after 4 calls of Next the Object of event %d ends in %q", i+1, own),
			Happened: fmt.Sprintf("it ends in %q", got[max(0, len(got)-len(own)):]),
		})
	}
}

func TestNewDecoderDoesNotRead(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	exercise.Bubble(t, func(t *testing.T) {
		body := reads(io.EOF, line("ADDED", "a", "5"))
		NewDecoder(body)
		time.Sleep(time.Minute)
		synctest.Wait() // a goroutine of its own reads by now
		times, _ := body.used()
		exercise.Expect(t, times == 0, exercise.Verdict{
			Expected: "NewDecoder does not read: the first event may be hours away",
			Happened: fmt.Sprintf("it called Read (%d)", times),
		})
	})
}

func TestNothingIsLeftBehind(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	exercise.Bubble(t, func(t *testing.T) {
		d := NewDecoder(newSilent(line("ADDED", "a", "5")))
		event, err := d.Next() // and no more: the watch is open
		exercise.Expect(t, err == nil, exercise.Verdict{
			Expected: "an event, and the reader brings nothing more",
			Happened: outcome(event, err),
		})
	})
}

func TestKeepsNothing(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, tc := range []struct {
		what         string
		size, events int
		inside       bool
		most         int64 // what the program may hold more than before, in KB
	}{
		{"100 events of 10 KB", 10 << 10, 100, false, 500},
		{"100 events of 10 KB, of which no Read ends where an event ends,", 10 << 10, 100, true, 500},
		{"10,000 small events", 10, 10_000, true, 150},
	} {
		exercise.Bubble(t, func(t *testing.T) { // Next may take its time
			d := NewDecoder(&endless{text: strings.Repeat("x", tc.size), inside: tc.inside})
			_, _, err := take(d, 50)
			before := heap()
			for range tc.events {
				if err == nil {
					_, err = d.Next()
				}
			}
			grown := int64(heap()) - int64(before)
			v := exercise.Verdict{
				Expected: tc.what + " have come out of Next, the caller has kept none, and neither has the Decoder",
				Happened: fmt.Sprintf("the program holds %.1f MB more than before", float64(grown)/(1<<20)),
			}
			if err != nil {
				v.Happened = "Next returned " + outcome(Event{}, err)
			}
			exercise.Expect(t, err == nil && grown < tc.most<<10, v)
			_, _ = d.Next() // the Decoder lives until here
		})
	}
}

func TestDecodersShareNothing(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	var streams [2][]string
	var decoders [2]*Decoder
	for s := range streams {
		for i := range 20 {
			streams[s] = append(streams[s], line("ADDED", fmt.Sprintf("watch-%d-object-%d", s+1, i+1), "5"))
		}
		decoders[s] = NewDecoder(strings.NewReader(strings.Join(streams[s], "")))
	}
	for i := range 20 {
		for s, d := range decoders {
			event, err := d.Next()
			expectEvent(t, event, err, streams[s][i],
				fmt.Sprintf("two Decoders, whose Next is called in turn; call %d of that of Decoder %d", i+1, s+1))
		}
	}
	var all sync.WaitGroup // and now each in a goroutine of its own
	var ends [2]string
	for s := range streams {
		all.Go(func() {
			events, event, err := take(NewDecoder(strings.NewReader(strings.Join(streams[s], ""))), 21)
			ends[s] = fmt.Sprintf("%s, then %s", count(len(events)), outcome(event, err))
		})
	}
	all.Wait()
	exercise.Expect(t, ends == [2]string{"20 events, then io.EOF", "20 events, then io.EOF"}, exercise.Verdict{
		Expected: "two Decoders of 20 events each, in two goroutines; each returns its 20, then io.EOF",
		Happened: strings.Join(ends[:], "; "),
	})
	whole := line("ADDED", "a", "5")
	happened := whileOneWaits(whole+whole[:40], func() string {
		return outcome(NewDecoder(strings.NewReader(whole)).Next())
	})
	exercise.Expect(t, happened == "an ADDED of a", exercise.Verdict{
		Expected: "two Decoders, and the Next of one has half of an event, and waits for the rest; " +
			"that of the other has a whole one, and returns it",
		Happened: happened,
		PointsTo: "the belief that a wait is short. A watch waits for hours, and what it holds nobody else gets",
	})
}

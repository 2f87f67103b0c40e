// Stage 1: each event, while the watch is open

package follow_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/2-follow"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
)

// Nothing but the end of the stream ends a watch of this stage, and each reader takes what comes.

func TestOpensAWatch(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		s := newScene(t, fakeapi.Stream(fakeapi.Send(line("ADDED", "a", "5"))))
		s.opening = true
		w := s.follow()
		s.expectOneRequest("the server has answered 200")
		r := s.srv.Requests()[0]
		got := r.Method + " " + (&url.URL{Path: r.Path, RawQuery: r.Query.Encode()}).String()
		exercise.Expect(t, got == "GET "+path, exercise.Verdict{
			Expected: "Follow sends one request, GET " + path,
			Happened: "it sent " + got,
		})
		s.receive(w) // whatever it is: the next test looks at it
	})
}

func TestPassesEventsOnUntilTheServerEndsTheWatch(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		gate := fakeapi.NewGate()
		added, deleted := line("ADDED", "a", "5"), line("DELETED", "a", "8")
		modified := fakeapi.Line("MODIFIED", fakeapi.ConfigMap("default", "a", "6", "key",
			strings.Repeat("large ", 20_000)))
		s := newScene(t, fakeapi.Stream(
			fakeapi.Send(added), fakeapi.Pause(gate), fakeapi.Send(modified, fakeapi.BookmarkLine("7"), deleted)))
		w := s.follow()
		s.expectEvent(w, added, "the server has sent the first event, and keeps the stream open")
		gate.Open()
		s.expectEvent(w, modified, "the server has sent three more events")
		s.expectEvent(w, fakeapi.BookmarkLine("7"), "the server has sent three more events")
		s.expectEvent(w, deleted, "the server has sent three more events")
		s.expectEnd(w, "the server has ended the stream after its fourth event")
		s.expectClosed("the server has ended the stream, and ctx goes on")
		s.expectNoGoroutine("the server has ended the stream, and ctx goes on")
		s.expectOneRequest("the server has ended the stream")
	})
}

func TestReturnsBeforeTheFirstEvent(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		gate := fakeapi.NewGate()
		s := newScene(t, fakeapi.Stream(fakeapi.Pause(gate), fakeapi.Send(line("ADDED", "a", "5"))))
		returned := make(chan *Watch, 1)
		go func() {
			w, _ := Follow(s.ctx, s.client, s.srv.URL+path)
			returned <- w
		}()
		synctest.Wait()
		early := len(returned) == 1
		gate.Open()
		synctest.Wait()
		v := exercise.Verdict{
			Expected: "the server has answered 200 and has no event to send; Follow returns its Watch",
			Happened: "Follow has not returned",
		}
		if len(returned) == 1 {
			v.Happened += ", and did when there was an event"
			v.PointsTo = "the belief that a watch which is open has something to say. " +
				"It is open when the header is there, and the first event may be hours away"
		}
		exercise.Expect(t, early, v)
		w := <-returned
		s.expectEvent(w, line("ADDED", "a", "5"), "the server has sent the first event after a while")
		s.expectEnd(w, "the server has ended the stream")
	})
}

func TestQuietWatchStaysOpen(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		const quiet = 72 * time.Hour
		added, modified := line("ADDED", "a", "5"), line("MODIFIED", "a", "6")
		s := newScene(t, fakeapi.Stream(fakeapi.Send(added), fakeapi.Sleep(quiet), fakeapi.Send(modified)))
		w := s.follow()
		s.expectEvent(w, added, "the server has sent the first event")
		start := time.Now()
		event, open, waited := s.receiveWithin(w, quiet+time.Minute)
		v := exercise.Verdict{
			Expected: "nothing changes for three days, " +
				"then the server sends an event, and the event comes out of Events",
		}
		switch {
		case waited:
			v.Happened = "nothing came"
		case !open:
			v.Happened = fmt.Sprintf("after %v Events was closed", time.Since(start))
			v.PointsTo = "the belief that a limit on a request is a limit on the wait for an answer. " +
				"Its clock runs until the body has been read to the end, so that it ends a watch which works"
		case event.Type != "MODIFIED":
			v.Happened = "the " + name(event) + " came"
		}
		exercise.Expect(t, v.Happened == "", v)
		s.expectEnd(w, "the server has ended the stream after three days")
	})
}

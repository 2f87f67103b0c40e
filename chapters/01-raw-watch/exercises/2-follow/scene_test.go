package follow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/fakeapi"
)

const path = "/api/v1/namespaces/default/configmaps?watch=true"

var leaks = exercise.LeakMeans("the belief that a goroutine ends with whoever started it. It ends when it returns, and this one waits")

// scene is a scripted server and a context, in a bubble.
type scene struct {
	t        *testing.T
	srv      *fakeapi.Server
	ctx      context.Context
	cancel   context.CancelFunc
	defaults func() int // requests that went to http.DefaultTransport
}

func newScene(t *testing.T, answer *fakeapi.Answer) *scene {
	s := &scene{t: t, defaults: fakeapi.GuardDefault(t), srv: fakeapi.New(t, answer)}
	s.ctx, s.cancel = context.WithCancel(t.Context())
	t.Cleanup(s.cancel)
	return s
}

func (s *scene) deadline(d time.Duration) { s.ctx, s.cancel = context.WithTimeout(s.ctx, d) }

// call calls Follow and waits a second, by the bubble's clock, for it to return.
func (s *scene) call() (w *Watch, err error, returned bool) { return s.callWithin(time.Second) }

func (s *scene) callWithin(d time.Duration) (w *Watch, err error, returned bool) {
	done := make(chan struct{})
	var gotWatch *Watch
	var gotErr error
	go func() {
		defer close(done)
		gotWatch, gotErr = Follow(s.ctx, s.srv.Client(), s.srv.URL+path)
	}()
	select {
	case <-done:
		return gotWatch, gotErr, true
	case <-time.After(d):
		return nil, nil, false
	}
}

// follow calls Follow on a server that accepts the watch.
func (s *scene) follow() *Watch {
	s.t.Helper()
	w, err, returned := s.call()
	s.expectGivenClient()
	v := exercise.Verdict{Expected: "the server answers 200, and Follow returns a *Watch"}
	switch {
	case !returned:
		v.Happened = "Follow has not returned, though the header and perhaps an event are there"
		v.PointsTo = "the belief that Follow has to see the body to its end before it returns. That end may be a day away, and events come before it"
	case err != nil:
		v.Happened = fmt.Sprintf("Follow returned the error %q", err)
	case w == nil || w.Events() == nil:
		v.Happened = "Follow returned no error, and no Watch with a channel"
	}
	exercise.Expect(s.t, v.Happened == "", v)
	return w
}

// receive waits a second for what Events has to give.
func (s *scene) receive(w *Watch) (event Event, open, waited bool) {
	return s.receiveWithin(w, time.Second)
}

func (s *scene) receiveWithin(w *Watch, d time.Duration) (event Event, open, waited bool) {
	synctest.Wait()
	select {
	case event, open = <-w.Events():
		return event, open, false
	case <-time.After(d):
		return Event{}, true, true
	}
}

func (s *scene) expectEvent(w *Watch, eventType, resourceVersion, situation string) {
	s.t.Helper()
	event, open, waited := s.receive(w)
	v := exercise.Verdict{Expected: fmt.Sprintf("%s; the %s with resourceVersion %s comes out of Events", situation, eventType, resourceVersion)}
	switch {
	case waited:
		v.Happened = "a second later nothing had come"
		v.PointsTo = "the belief that a body is read to its end, and used then. This one has no end yet, and an event is in it"
	case !open:
		v.Happened = fmt.Sprintf("Events was closed, and Err said %q; ctx had not ended, and the server had not either", short(fmt.Sprint(w.Err())))
		v.PointsTo = "the belief that the watch is over when Follow returns. What Follow defers is done then, and the one who reads the stream " +
			"has only begun"
	case event.Type != eventType || version(event) != resourceVersion:
		v.Happened = fmt.Sprintf("a %s with resourceVersion %s came", event.Type, version(event))
		v.PointsTo = "the order of the stream is the order of the changes"
	}
	exercise.Expect(s.t, v.Happened == "", v)
}

// expectEnd expects that Events is closed now.
func (s *scene) expectEnd(w *Watch, situation string) {
	s.t.Helper()
	_, open, waited := s.receive(w)
	v := exercise.Verdict{
		Expected: situation + "; Events is closed",
		Happened: "a second later it was still open",
		PointsTo: "the belief that a reader sees that nothing will come any more. Whoever ranges over this channel waits for ever",
	}
	if r := s.srv.Requests(); len(r) == 1 && r[0].BodyOpen && r[0].Ending == "" {
		v.Happened = "a second later it was still open, and so was the body of the response"
		v.PointsTo = "the belief that a body has to be read to its end before it is closed, or that its end always comes. A watch's body ends " +
			"when the server likes"
	}
	s.expectOneRequest(situation)
	exercise.Expect(s.t, !waited && !open, v)
}

func (s *scene) expectErr(w *Watch, want error, situation string) {
	s.t.Helper()
	v := exercise.Verdict{
		Expected: fmt.Sprintf("%s; in Err, errors.Is finds %q", situation, want),
		Happened: fmt.Sprintf("Err returned %q", short(fmt.Sprint(w.Err()))),
		PointsTo: "the belief that an error is a text. The caller has to tell its own goodbye from a failure, and a program compares values",
	}
	if w.Err() == nil {
		v.Happened = "Err returned nil"
		v.PointsTo = "the belief that every end is a clean one. To the caller this now looks like a watch that the server finished"
	}
	exercise.Expect(s.t, errors.Is(w.Err(), want), v)
}

// expectClosed expects that no response is left with its body open.
func (s *scene) expectClosed(situation string) {
	s.t.Helper()
	synctest.Wait()
	for _, r := range s.srv.OpenBodies() {
		v := exercise.Verdict{
			Expected: situation + "; the response's body is closed",
			Happened: fmt.Sprintf("the body of the answer %d to %s was never closed", r.Status, r),
			PointsTo: "the belief that something else comes and closes a body: its own end, the garbage collector, or the end of ctx, which may " +
				"come days after the stream's. net/http leaves that to whoever got the response, and a body that is not at its end keeps its connection",
		}
		switch {
		case r.Ending == "":
			v.Happened += "; the server is still on it"
		case r.Status != 200:
			v.PointsTo = "the belief that only a response one goes on with has to be closed. A refusal is a response, with a body, " +
				"and net/http leaves the end of it to whoever got it"
		}
		exercise.Fail(s.t, v)
	}
}

func (s *scene) expectOneRequest(situation string) {
	s.t.Helper()
	n := len(s.srv.Requests())
	exercise.Expect(s.t, n == 1, exercise.Verdict{
		Expected: situation + "; Follow opens no second watch",
		Happened: fmt.Sprintf("the server got %d requests", n),
		PointsTo: "the belief that to watch again is to go on. The same request begins again where the first one did: " +
			"what had been passed on comes once more, and a change in between never",
	})
}

// expectGivenClient expects that the request came through the client that Follow was given.
func (s *scene) expectGivenClient() {
	s.t.Helper()
	exercise.Expect(s.t, s.defaults() == 0, exercise.Verdict{
		Expected: "Follow sends its request with the client that it is given",
		Happened: fmt.Sprintf("%d requests reached that client's server, and http.DefaultTransport got one", len(s.srv.Requests())),
		PointsTo: "the belief that one client is as good as another. The one that is given knows the server's certificate, and who is asking",
	})
}

// unread says what is still in Events.
func unread(w *Watch) string {
	select {
	case _, open := <-w.Events():
		if open {
			return ", and one more event is still waiting to be taken from Events"
		}
		return ", though Events is closed"
	default:
		return ""
	}
}

func line(eventType, name, resourceVersion string) string {
	return fakeapi.Line(eventType, fakeapi.ConfigMap("default", name, resourceVersion))
}

// lines is n events in one piece, with the resourceVersions 100, 101 ...
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line("ADDED", "a", fmt.Sprint(100+i)))
	}
	return b.String()
}

func version(event Event) string {
	var object struct {
		Metadata struct{ ResourceVersion string }
	}
	_ = json.Unmarshal(event.Object, &object)
	return object.Metadata.ResourceVersion
}

func short(s string) string {
	if len(s) <= 120 {
		return s
	}
	return s[:80] + " ... " + s[len(s)-35:]
}

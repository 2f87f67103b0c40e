package follow_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/2-follow"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
)

const path = "/api/v1/namespaces/default/configmaps?labelSelector=app%3Dweb&resourceVersion=5&watch=true"

// scene is a scripted server and a context, in a bubble.
type scene struct {
	t        *testing.T
	srv      *fakeapi.Server
	client   *http.Client
	ctx      context.Context
	cancel   context.CancelFunc
	end      func()     // ends ctx, or waits until it has ended
	defaults func() int // requests that went to http.DefaultTransport
	opening  bool       // of a stage: what it asks for may be unwritten, and no verdict names a belief
}

func newScene(t *testing.T, answers ...*fakeapi.Answer) *scene {
	s := &scene{t: t, defaults: fakeapi.GuardDefault(t), srv: fakeapi.New(t, answers...)}
	s.client = s.srv.Client()
	s.ctx, s.cancel = context.WithCancel(t.Context())
	s.end = s.cancel
	t.Cleanup(func() { s.cancel() })
	return s
}

// deadline gives ctx a limit of time, which ends it.
func (s *scene) deadline(d time.Duration) {
	s.ctx, s.cancel = context.WithTimeout(s.ctx, d)
	s.end = func() { <-s.ctx.Done() }
}

// expect fails the test unless ok.
func (s *scene) expect(ok bool, v exercise.Verdict) {
	s.t.Helper()
	if s.opening {
		v.PointsTo = ""
	}
	exercise.Expect(s.t, ok, v)
}

// call calls Follow and waits a second, by the bubble's clock, for it to return.
func (s *scene) call() (w *Watch, err error, returned bool) { return s.callWithin(time.Second) }

func (s *scene) callWithin(d time.Duration) (w *Watch, err error, returned bool) {
	done := make(chan struct{})
	var gotWatch *Watch
	var gotErr error
	go func() {
		defer close(done)
		gotWatch, gotErr = Follow(s.ctx, s.client, s.srv.URL+path)
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
	v := exercise.Verdict{Expected: "the server answers 200, and Follow returns a *Watch"}
	switch {
	case !returned:
		v.Happened = "Follow has not returned, though the header and perhaps an event are there"
	case s.defaults() > 0:
		v.Happened = "Follow did not send the request with the client that it is given: http.DefaultTransport got it"
	case err != nil:
		v.Happened = fmt.Sprintf("Follow returned the error %q", short(err.Error()))
	case w == nil || w.Events() == nil:
		v.Happened = "Follow returned no error, and no Watch with a channel"
	}
	s.expect(v.Happened == "", v)
	return w
}

// noRefusal is what Follow did about a refusal.
func (s *scene) noRefusal(w *Watch, err error, returned bool) string {
	switch {
	case !returned:
		return "Follow did not return"
	case err != nil:
		return "Follow returned the error " + quoted(err)
	case w == nil:
		return "Follow returned neither a Watch nor an error"
	}
	return "Follow returned a Watch and no error"
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

// expectEvent expects the event of a line, and that no time passes until it is there.
func (s *scene) expectEvent(w *Watch, line, situation string) {
	s.t.Helper()
	start := time.Now()
	event, open, waited := s.receive(w)
	v := exercise.Verdict{Expected: fmt.Sprintf("%s; the %s comes out of Events", situation, name(eventOf(line)))}
	switch {
	case waited:
		v.Happened = "a second later nothing had come"
	case !open:
		v.Happened, v.PointsTo = s.closedEarly(w)
	case time.Since(start) > 0:
		v.Happened = fmt.Sprintf("it came %v after it was there", time.Since(start))
	case event.Type != eventOf(line).Type || string(event.Object) != string(eventOf(line).Object):
		v.Happened = fmt.Sprintf("the %s came, with the object %s", name(event), short(string(event.Object)))
	}
	s.expect(v.Happened == "", v)
}

// closedEarly is what is known of a watch whose Events was closed before an event came that is due.
func (s *scene) closedEarly(w *Watch) (happened, belief string) {
	happened = "Events was closed, and Err said " + quoted(w.Err())
	r := s.srv.Requests()
	if len(r) != 1 || r[0].ReadToEnd {
		return happened, ""
	}
	if !r[0].BodyOpen {
		happened += "; the body of the response was closed before its end"
	}
	err := w.Err()
	closed := errors.Is(err, context.Canceled) || err != nil && strings.Contains(err.Error(), "closed")
	if !closed && r[0].Read > 0 {
		return happened, ""
	}
	return happened, "the belief that the watch is over when Follow returns. " +
		"What Follow defers is done then, and the one who reads the stream has only begun"
}

// expectEnd expects that Events is closed now.
func (s *scene) expectEnd(w *Watch, situation string) {
	s.t.Helper()
	event, open, waited := s.receive(w)
	v := exercise.Verdict{Expected: situation + "; Events is closed", Happened: "a second later it was still open"}
	if r := s.srv.Requests(); len(r) == 1 && waited {
		switch {
		case !r[0].BodyOpen:
			v.Happened += ", and the body of the response was closed"
			v.PointsTo = "the belief that a reader sees that nothing will come any more. " +
				"Whoever ranges over this channel waits for ever"
		case r[0].Ending == "":
			v.Happened = "a second later it was still open, and so was the body of the response"
		}
	}
	if open && !waited {
		v.Happened = fmt.Sprintf("one more event came: %s", name(event))
	}
	s.expectOneRequest(situation)
	s.expect(!waited && !open, v)
}

// expectOver ends ctx, and expects that everything else is over then, without any time passing.
func (s *scene) expectOver(w *Watch, situation string) {
	s.t.Helper()
	s.end()
	synctest.Wait()
	v := exercise.Verdict{Expected: "ctx ends during " + situation + "; " +
		"at once its request is over, body and Events are closed, and no goroutine is left"}
	r := s.srv.Requests()[0]
	late := s.closedLate(r)
	place, stays := running() // before anybody takes the event for which it may wait
	events, closed := drain(w)
	active, _ := s.srv.Conns()
	switch {
	case late > 0:
		v.Happened = fmt.Sprintf("the body was closed %v later", late)
	case r.BodyOpen && r.Ending == "":
		v.Happened = "a minute later the server still has the request, and the body is open"
	case r.BodyOpen:
		v.Happened = "a minute later the body is still open, though the request is over"
	case stays:
		v.Happened = "the body is closed, and a goroutine stays behind, at " + place
	case !closed:
		v.Happened = "Events is still open, though the body is closed"
	case active > 0:
		v.Happened = fmt.Sprintf("%d connections are still in use", active)
	}
	stuck := late == 0 && (r.BodyOpen || stays)
	if stuck && events > 0 {
		v.Happened += "; an event was still waiting to be taken from Events"
		v.PointsTo = "the belief that a send goes through, " +
			"because somebody takes what is sent, or because a large buffer is never full. " +
			"The end of ctx wakes the one who reads from the network; who wakes the one who waits for a reader?"
	} else if stuck && r.BodyOpen && r.Ending == "" {
		v.PointsTo = "the belief that ctx is looked at between events. " +
			"The read that waits for the next event knows nothing of ctx, and there may never be another event"
	}
	s.expect(v.Happened == "", v)
}

// closedLate waits for a minute for the body of a request to be closed, and returns after which time it was: 0 if it
// was already, or never.
func (s *scene) closedLate(r fakeapi.Request) time.Duration {
	for start := time.Now(); r.BodyOpen && time.Since(start) < time.Minute; {
		time.Sleep(time.Second / 100)
		synctest.Wait()
		if !s.srv.Requests()[0].BodyOpen {
			return time.Since(start)
		}
	}
	return 0
}

// drain takes what Events has to give without waiting.
func drain(w *Watch) (events int, closed bool) {
	for events < 100_000 {
		select {
		case _, open := <-w.Events():
			if !open {
				return events, true
			}
			events++
			synctest.Wait()
		default:
			return events, false
		}
	}
	return events, false
}

// expectNext expects event i of lines.
func (s *scene) expectNext(w *Watch, i int, situation string) {
	s.t.Helper()
	event, open, waited := s.receiveWithin(w, time.Minute)
	want := fmt.Sprint(100 + i)
	if open && version(event) == want {
		return
	}
	v := exercise.Verdict{
		Expected: fmt.Sprintf("the reader takes one event a second, and %s; "+
			"after %d events comes the one with resourceVersion %s", situation, i, want),
		Happened: "the next one was that with resourceVersion " + version(event),
	}
	switch {
	case waited:
		v.Happened = fmt.Sprintf("no event came for a minute; your code has read %d bytes of the stream",
			s.srv.Requests()[0].Read)
	case !open:
		v.Happened = "Events was closed, and Err said " + quoted(w.Err())
	}
	lost := open && version(event) > want || !open && w.Err() == nil // as texts, all of three digits
	if lost && !waited {
		v.PointsTo = "the belief that a reader which is late can do without. " +
			"There is no second time: the server sends each change once on a watch"
	}
	exercise.Fail(s.t, v)
}

func (s *scene) expectErr(w *Watch, want error, situation string) {
	s.t.Helper()
	v := exercise.Verdict{
		Expected: fmt.Sprintf("%s; in Err, errors.Is finds %q", situation, want),
		Happened: "Err returned " + quoted(w.Err()),
	}
	v.PointsTo = pointsTo(w.Err(), want.Error())
	s.expect(errors.Is(w.Err(), want), v)
}

// expectClosed expects that no response is left with its body open, and no connection in use.
func (s *scene) expectClosed(situation string) {
	s.t.Helper()
	synctest.Wait()
	for _, r := range s.srv.OpenBodies() {
		v := exercise.Verdict{
			Expected: situation + "; the response's body is closed",
			Happened: fmt.Sprintf("the body of the answer %d to %s was never closed", r.Status, r),
			PointsTo: "the belief that something else comes and closes a body: " +
				"its own end, the garbage collector, or the end of ctx, which may come days after the stream's. " +
				"net/http leaves that to whoever got the response, " +
				"and a body that is not at its end keeps its connection",
		}
		switch {
		case r.Ending == "":
			v.Happened += "; the server is still on it"
		case r.Status != 200:
			v.PointsTo = "the belief that only a response one goes on with has to be closed. " +
				"A refusal is a response, with a body, and net/http leaves the end of it to whoever got it"
		}
		exercise.Fail(s.t, v)
	}
	active, _ := s.srv.Conns()
	s.expect(active == 0, exercise.Verdict{
		Expected: situation + "; no connection is in use",
		Happened: fmt.Sprintf("%d are", active),
	})
}

// expectNoGoroutine expects that no goroutine runs code of the learner's any more, while ctx goes on.
func (s *scene) expectNoGoroutine(situation string) {
	s.t.Helper()
	synctest.Wait()
	place, stays := running()
	s.expect(!stays, exercise.Verdict{
		Expected: situation + "; no goroutine stays behind",
		Happened: "one is at " + place,
	})
}

// running finds a goroutine that runs code of the learner's.
func running() (place string, found bool) {
	all := make([]byte, 1<<20)
	all = all[:runtime.Stack(all, true)]
	for goroutine := range strings.SplitSeq(string(all), "\n\n") {
		if place, _, found := exercise.Place(goroutine); found {
			return place, true
		}
	}
	return "", false
}

func (s *scene) expectOneRequest(situation string) {
	s.t.Helper()
	requests := s.srv.Requests()
	v := exercise.Verdict{
		Expected: situation + "; Follow opens no second watch",
		Happened: fmt.Sprintf("the server got %d requests", len(requests)),
	}
	if len(requests) > 0 && requests[0].Status == http.StatusOK {
		v.PointsTo = "the belief that to watch again is to go on. " +
			"The same request begins again where the first one did: " +
			"what had been passed on comes once more, and a change in between never"
	}
	s.expect(len(requests) == 1, v)
}

// transport is a client's own, for answers that no server gives.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// pointsTo is what a wrong Err of a watch points to, where one with that text is due.
func pointsTo(err error, text string) string {
	switch {
	case err == nil:
		return "the belief that such an end is a clean one. " +
			"To the caller it now looks like a watch that the server finished"
	case strings.Contains(err.Error(), text):
		return "the belief that an error is a text. The caller has to tell one end from another, " +
			"and a program compares values"
	}
	return ""
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

// eventOf is the event that a line is.
func eventOf(line string) Event {
	var event Event
	_ = json.Unmarshal([]byte(line), &event)
	return event
}

// name is what a message calls an event.
func name(event Event) string {
	if event.Type == "" {
		return "event without a type"
	}
	return fmt.Sprintf("%s with resourceVersion %s", event.Type, version(event))
}

func version(event Event) string {
	var object struct {
		Metadata struct{ ResourceVersion string }
	}
	_ = json.Unmarshal(event.Object, &object)
	return object.Metadata.ResourceVersion
}

func quoted(err error) string {
	if err == nil {
		return "nil"
	}
	return fmt.Sprintf("%q", short(err.Error()))
}

func short(s string) string {
	if len(s) <= 120 {
		return s
	}
	return s[:80] + " ... " + s[len(s)-35:]
}

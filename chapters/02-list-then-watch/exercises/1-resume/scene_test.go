package resume_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/exercises/1-resume"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The requests that a client can make, besides [watch].
var (
	list   = Request{Verb: "LIST"}
	stream = Request{Verb: "WATCH", InitialEvents: true}
)

// watch is a WATCH from a resourceVersion.
func watch(resourceVersion string) Request {
	return Request{Verb: "WATCH", ResourceVersion: resourceVersion}
}

// clues tells which belief a wrong request points to. One that is not in it points to none.
type clues map[Request]string

// views tells the same of wrong views, written "a 12 b 17". An object without a name leaves out the name.
type views map[string]string

// talk is a conversation with the client, and its protocol for the verdict.
type talk struct {
	t   *testing.T
	c   *Client
	log []string
}

func begin(t *testing.T, c *Client) *talk { return &talk{t: t, c: c} }

// listed is a conversation whose list is done and whose watch is open.
func listed(t *testing.T, resourceVersion string, objects ...string) *talk {
	t.Helper()
	x := begin(t, &Client{})
	x.next(list, nil)
	x.listed(resourceVersion, objects...)
	x.next(watch(resourceVersion), nil)
	return x
}

// streamed is a conversation whose streaming list is done and whose watch goes on.
func streamed(t *testing.T, resourceVersion string, objects ...string) *talk {
	t.Helper()
	x := begin(t, &Client{Streaming: true})
	x.next(stream, nil)
	for i := 0; i < len(objects); i += 2 {
		x.event(Event{Type: "ADDED", Name: objects[i], ResourceVersion: objects[i+1]})
	}
	x.event(Event{Type: "BOOKMARK", ResourceVersion: resourceVersion, InitialEventsEnd: true})
	return x
}

func (x *talk) listed(resourceVersion string, objects ...string) {
	x.listedMap(resourceVersion, pairs(objects...))
}

func (x *talk) listedMap(resourceVersion string, objects map[string]string) {
	what := "nothing"
	switch {
	case objects == nil:
		what = "nothing (a nil map)"
	case len(objects) > 0:
		what = strings.Join(slices.Sorted(maps.Keys(objects)), ", ")
	}
	x.log = append(x.log, fmt.Sprintf("its answer: %s at %s", what, resourceVersion))
	x.c.Listed(resourceVersion, objects)
}

func (x *talk) event(e Event) {
	x.log = append(x.log, describe(e))
	x.c.Event(e)
}

func (x *talk) ended(status int) {
	how := "its end"
	if status != 0 {
		how = fmt.Sprintf("its refusal with status %d", status)
	}
	x.log = append(x.log, how)
	x.c.Ended(status)
}

// next asks the client for its next request.
func (x *talk) next(want Request, about clues) {
	x.t.Helper()
	got := x.c.Next()
	exercise.Expect(x.t, got == want, exercise.Verdict{
		Expected: fmt.Sprintf("after %s, the next request is %s", x.story(), request(want)),
		Happened: "it was " + request(got),
		PointsTo: about[got],
	})
	x.log = append(x.log, request(got))
}

// view looks at the client's view.
func (x *talk) view(about views, want ...string) {
	x.t.Helper()
	exercise.Expect(x.t, maps.Equal(x.c.View, pairs(want...)), exercise.Verdict{
		Expected: fmt.Sprintf("after %s, the view is %s", x.story(), objects(pairs(want...))),
		Happened: "it was " + objects(x.c.View),
		PointsTo: about[key(x.c.View)],
	})
}

// same looks at a map that is not the client's.
func (x *talk) same(what string, got map[string]string, want ...string) {
	x.t.Helper()
	exercise.Expect(x.t, maps.Equal(got, pairs(want...)), exercise.Verdict{
		Expected: fmt.Sprintf("after %s, %s holds %s as before", x.story(), what, objects(pairs(want...))),
		Happened: "it held " + objects(got),
	})
}

func (x *talk) story() string {
	if len(x.log) == 0 {
		return "nothing at all"
	}
	return strings.Join(x.log, ", then ")
}

func pairs(s ...string) map[string]string {
	m := map[string]string{}
	for i := 0; i < len(s); i += 2 {
		m[s[i]] = s[i+1]
	}
	return m
}

func request(r Request) string {
	s := "a " + r.Verb
	if r.Verb == "" {
		s = "a request without a verb"
	}
	if r.InitialEvents {
		s += " with initial events"
	}
	if r.ResourceVersion == "" {
		return s + " without a resourceVersion"
	}
	return fmt.Sprintf("%s from %s", s, r.ResourceVersion)
}

func describe(e Event) string {
	switch {
	case e.Type == "ERROR":
		return fmt.Sprintf("an ERROR event with code %d", e.Code)
	case e.InitialEventsEnd:
		return "the BOOKMARK at " + e.ResourceVersion + " that ends the initial events"
	case e.Type == "BOOKMARK":
		return "a BOOKMARK at " + e.ResourceVersion
	}
	return fmt.Sprintf("%s %s at %s", e.Type, e.Name, e.ResourceVersion)
}

func objects(m map[string]string) string {
	var s []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		s = append(s, fmt.Sprintf("%q at %s", name, m[name]))
	}
	if len(s) == 0 {
		return "empty"
	}
	return strings.Join(s, ", ")
}

// key writes a view as [views] does.
func key(m map[string]string) string {
	var named, nameless []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if name == "" {
			nameless = append(nameless, m[name])
			continue
		}
		named = append(named, name, m[name])
	}
	return strings.Join(append(named, nameless...), " ")
}

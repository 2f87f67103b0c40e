package resume

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestStart(t *testing.T) {
	exercise.Attempted(t)
	x := begin(t, &Client{})
	x.next(Request{Verb: "LIST"}, "a client that knows nothing and asks for changes does not know what they are changes of")
	x.listed("20", "a", "12", "b", "17")
	x.view("a list is a state: all of it is the view", "a", "12", "b", "17")
	x.next(Request{Verb: "WATCH", ResourceVersion: "20"}, startBelief)
}

func TestEventsChangeTheView(t *testing.T) {
	exercise.Attempted(t)
	x := listed(t, "20", "a", "12", "b", "17")
	x.event(Event{Type: "ADDED", Name: "c", ResourceVersion: "21"})
	x.event(Event{Type: "MODIFIED", Name: "a", ResourceVersion: "22"})
	x.event(Event{Type: "DELETED", Name: "b", ResourceVersion: "23"})
	x.view("each event is about one object, and says what became of it", "a", "22", "c", "21")
}

func TestResumeAfterAnEnd(t *testing.T) {
	exercise.Attempted(t)
	for _, last := range []Event{
		{Type: "MODIFIED", Name: "a", ResourceVersion: "27"},
		{Type: "ADDED", Name: "c", ResourceVersion: "28"},
		{Type: "DELETED", Name: "b", ResourceVersion: "29"},
	} {
		x := listed(t, "20", "a", "12", "b", "17")
		x.event(Event{Type: "MODIFIED", Name: "a", ResourceVersion: "25"})
		x.event(last)
		x.ended(0)
		got := x.c.Next()
		x.want(got, Request{Verb: "WATCH", ResourceVersion: last.ResourceVersion}, resumeBelief(got, last))
		x.ended(0) // at once, without an event
		x.next(Request{Verb: "WATCH", ResourceVersion: last.ResourceVersion},
			"a watch without an event brings no new place to resume from, and takes none away")
	}
}

func TestBookmark(t *testing.T) {
	exercise.Attempted(t)
	x := listed(t, "20", "a", "12")
	x.event(Event{Type: "BOOKMARK", ResourceVersion: "90"})
	x.view("the belief that every event is about an object: a BOOKMARK carries a resourceVersion and nothing else, "+
		"and stored it is an object without a name", "a", "12")
	x.ended(0)
	x.next(Request{Verb: "WATCH", ResourceVersion: "90"}, "the belief that an event without an object says nothing. The server sends bookmarks so that a "+
		"quiet client does not fall so far behind that it has to list again")
}

func TestAnotherDigit(t *testing.T) {
	exercise.Attempted(t)
	const belief = "the belief that a client has to find out which of two events is the later one. The server has said so, by sending them " +
		"in order; and as text \"100\" is before \"99\""
	x := listed(t, "98", "a", "97")
	x.event(Event{Type: "MODIFIED", Name: "a", ResourceVersion: "99"})
	x.event(Event{Type: "MODIFIED", Name: "a", ResourceVersion: "100"})
	x.view(belief, "a", "100")
	x.ended(0)
	x.next(Request{Verb: "WATCH", ResourceVersion: "100"}, belief)
}

func TestFailuresThatLoseNothing(t *testing.T) {
	exercise.Attempted(t)
	const belief = "the belief that after a failure nothing is certain. The server still has all changes since the last event; " +
		"when a thousand clients list because one server restarts, that list is what breaks it"
	for _, status := range []int{500, 503, 429} {
		x := listed(t, "20", "a", "12")
		x.event(Event{Type: "MODIFIED", Name: "a", ResourceVersion: "25"})
		x.ended(0)
		x.c.Next()
		x.ended(status)
		x.next(Request{Verb: "WATCH", ResourceVersion: "25"}, belief)
	}
	x := listed(t, "20", "a", "12")
	x.event(Event{Type: "MODIFIED", Name: "a", ResourceVersion: "25"})
	x.event(Event{Type: "ERROR", Code: 500})
	x.ended(0)
	got := x.c.Next()
	about := belief
	if got.ResourceVersion == "" && got.Verb == "WATCH" {
		about = "the belief that whatever a stream brings has a resourceVersion to go on from. The object of an ERROR is a Status"
	}
	x.want(got, Request{Verb: "WATCH", ResourceVersion: "25"}, about)
}

const goneBelief = "the belief that a watch can always go on from where it was. The server forgets old changes; asked again for " +
	"the same, it gives the same answer"

func TestGoneAsStatus(t *testing.T) {
	exercise.Attempted(t)
	x := listed(t, "20", "a", "12")
	x.ended(0)
	x.c.Next()
	x.ended(410)
	x.next(Request{Verb: "LIST"}, goneBelief)
}

func TestGoneAsEvent(t *testing.T) {
	exercise.Attempted(t)
	x := listed(t, "20", "a", "12")
	x.event(Event{Type: "ERROR", Code: 410})
	x.ended(0)
	x.next(Request{Verb: "LIST"}, "the belief that an error is a status code. The server had answered 200 before it looked at the "+
		"history, so that what it found could only come inside the response")
}

func TestListAgain(t *testing.T) {
	exercise.Attempted(t)
	x := listed(t, "20", "a", "12", "b", "17", "c", "18")
	x.event(Event{Type: "ERROR", Code: 410})
	x.ended(0)
	x.next(Request{Verb: "LIST"}, goneBelief)
	x.listed("60", "a", "12", "c", "44", "d", "51")
	x.view("the belief that every deletion is told. b was deleted while nobody watched: no event will ever say so, only its absence does",
		"a", "12", "c", "44", "d", "51")
	x.next(Request{Verb: "WATCH", ResourceVersion: "60"}, "what was known before the second list is older than it")
}

func TestStreamingList(t *testing.T) {
	exercise.Attempted(t)
	x := begin(t, &Client{Streaming: true})
	x.next(Request{Verb: "WATCH", InitialEvents: true}, "a streaming list is a WATCH that asks for the initial events, and for no resourceVersion")
	x.event(Event{Type: "ADDED", Name: "a", ResourceVersion: "12"})
	x.event(Event{Type: "ADDED", Name: "b", ResourceVersion: "7"})
	x.event(Event{Type: "BOOKMARK", ResourceVersion: "20", InitialEventsEnd: true})
	x.view("the objects before the bookmark are the list", "a", "12", "b", "7")
	x.event(Event{Type: "MODIFIED", Name: "b", ResourceVersion: "21"})
	x.event(Event{Type: "ADDED", Name: "c", ResourceVersion: "22"})
	x.view("after the bookmark the same stream goes on with the changes", "a", "12", "b", "21", "c", "22")
	x.ended(0)
	x.next(Request{Verb: "WATCH", ResourceVersion: "22"},
		"the belief that a streaming list is how such a client always watches. It has the state already, and is sent all of it again")
}

func TestStreamingListCutShort(t *testing.T) {
	exercise.Attempted(t)
	x := begin(t, &Client{Streaming: true})
	x.c.Next()
	x.event(Event{Type: "ADDED", Name: "a", ResourceVersion: "90"})
	x.event(Event{Type: "ADDED", Name: "b", ResourceVersion: "50"})
	x.ended(0)
	x.next(Request{Verb: "WATCH", InitialEvents: true},
		"the belief that every event's resourceVersion is a place to resume from. Initial events come in the order of names: what "+
			"was still to come, c with 30 for one, is not after 50, nor after 90, and would never be sent")
}

func TestStreamingListAgain(t *testing.T) {
	exercise.Attempted(t)
	x := begin(t, &Client{Streaming: true})
	x.c.Next()
	x.event(Event{Type: "ADDED", Name: "a", ResourceVersion: "12"})
	x.event(Event{Type: "ADDED", Name: "b", ResourceVersion: "7"})
	x.event(Event{Type: "BOOKMARK", ResourceVersion: "20", InitialEventsEnd: true})
	x.event(Event{Type: "ERROR", Code: 410})
	x.ended(0)
	x.next(Request{Verb: "WATCH", InitialEvents: true}, goneBelief)
	x.event(Event{Type: "ADDED", Name: "b", ResourceVersion: "31"})
	x.view("the belief that the first objects of a list are a state. Until the bookmark, nobody knows what else there is; "+
		"a reader of the view would take the rest for deleted, or see a mixture of two times", "a", "12", "b", "7")
	x.event(Event{Type: "BOOKMARK", ResourceVersion: "40", InitialEventsEnd: true})
	x.view("the belief that every deletion is told. a was deleted while nobody watched: only its absence from the second list says so", "b", "31")
}

// startBelief is what a first watch without the list's resourceVersion points to.
const startBelief = "the belief that a watch by itself goes on from the list. Between the two requests things change, and only the " +
	"list's resourceVersion tells the server where the client's knowledge ends"

// resumeBelief tells what a wrong place to resume from means.
func resumeBelief(got Request, last Event) string {
	switch {
	case got.Verb != "WATCH":
		return "the belief that a watch that ends has failed. The server ends every watch some time, and has kept what comes after"
	case got.ResourceVersion == "20":
		return "the belief that the list's resourceVersion is the client's for good. All events since then would come again, and " +
			"some day the server has forgotten that resourceVersion"
	case got.ResourceVersion == "25" && last.Type == "DELETED":
		return "the belief that a deletion leaves nothing to remember. The event's resourceVersion is that of the deletion"
	case len(got.ResourceVersion) > 1 && got.ResourceVersion > last.ResourceVersion:
		return "the belief that a resourceVersion is the number of the next event, or can be computed. A watch from N begins after N already"
	}
	return "the last event says up to where the client knows the changes"
}

// talk is a conversation with the client, and its protocol for the verdict.
type talk struct {
	t   *testing.T
	c   *Client
	log []string
}

func begin(t *testing.T, c *Client) *talk { return &talk{t: t, c: c} }

// listed is a conversation whose list is done and whose watch is open.
func listed(t *testing.T, resourceVersion string, objects ...string) *talk {
	x := begin(t, &Client{})
	x.c.Next()
	x.listed(resourceVersion, objects...)
	x.c.Next()
	x.log = append(x.log, "a WATCH from "+resourceVersion)
	return x
}

func (x *talk) listed(resourceVersion string, objects ...string) {
	x.log = append(x.log, fmt.Sprintf("a LIST that brought %s at %s", strings.Join(slices.Sorted(maps.Keys(pairs(objects))), ", "), resourceVersion))
	x.c.Listed(resourceVersion, pairs(objects))
}

func (x *talk) event(e Event) {
	x.log = append(x.log, describe(e))
	x.c.Event(e)
}

func (x *talk) ended(status int) {
	how := "the end of the watch"
	if status != 0 {
		how = fmt.Sprintf("the watch refused with status %d", status)
	}
	x.log = append(x.log, how)
	x.c.Ended(status)
}

func (x *talk) next(want Request, belief string) {
	x.t.Helper()
	x.want(x.c.Next(), want, belief)
}

func (x *talk) want(got, want Request, belief string) {
	x.t.Helper()
	exercise.Expect(x.t, got == want, exercise.Verdict{
		Expected: fmt.Sprintf("after %s, the next request is %s", x.story(), request(want)),
		Happened: "it was " + request(got),
		PointsTo: belief,
	})
	x.log = append(x.log, request(got))
}

func (x *talk) view(belief string, want ...string) {
	x.t.Helper()
	exercise.Expect(x.t, maps.Equal(x.c.View, pairs(want)), exercise.Verdict{
		Expected: fmt.Sprintf("after %s, the view is %s", x.story(), view(pairs(want))),
		Happened: "it was " + view(x.c.View),
		PointsTo: belief,
	})
}

func (x *talk) story() string {
	if len(x.log) == 0 {
		return "nothing at all"
	}
	return strings.Join(x.log, ", then ")
}

func pairs(s []string) map[string]string {
	m := map[string]string{}
	for i := 0; i < len(s); i += 2 {
		m[s[i]] = s[i+1]
	}
	return m
}

func request(r Request) string {
	s := "a " + r.Verb
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

func view(m map[string]string) string {
	if len(m) == 0 {
		return "empty"
	}
	var s []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		s = append(s, fmt.Sprintf("%q at %s", name, m[name]))
	}
	return strings.Join(s, ", ")
}

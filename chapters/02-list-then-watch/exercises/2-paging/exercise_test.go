package paging

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/fakeapi"
)

const (
	hangs   = "the belief that beginning again is always progress: what made the list fail the first time is still there"
	unasked = "the belief that every 410 is about a token that grew too old. None of these requests carried one, and each is " +
		"answered like the one before"
)

func TestOnePage(t *testing.T) {
	exercise.Attempted(t)
	x := list(t, 5, answer("30", "", "a", "b"))
	x.want("30", "a", "b")
	x.asked("limit=5")
}

func TestPages(t *testing.T) {
	exercise.Attempted(t)
	x := list(t, 2, answer("30", "t1", "a", "b"), answer("30", "t2", "c", "d"), answer("30", "", "e"))
	if counted := list(t, 2, remaining(1, "30", "t1", "a", "b"), remaining(0, "30", "", "c")); len(x.names) == 2 && len(counted.names) == 3 {
		x.about = "the belief that remainingItemCount is always there. A server that filters cannot tell how many are left, and leaves it out"
	}
	x.want("30", "a", "b", "c", "d", "e")
	x.asked("limit=2", "limit=2 continue=t1", "limit=2 continue=t2")
}

func TestPageSmallerThanTheLimit(t *testing.T) {
	exercise.Attempted(t)
	x := list(t, 3, answer("30", "t1", "a", "b"), answer("30", "t2"), answer("30", "", "c", "d"))
	x.about = "the belief that a page with fewer objects than asked for is the last. The limit is a maximum: a server " +
		"may send fewer, or none at all, while more are to come"
	x.want("30", "a", "b", "c", "d")
}

func TestTokenWithSigns(t *testing.T) {
	exercise.Attempted(t)
	x := list(t, 1, answer("30", "eyJ+&limit=9/==", "a"), answer("30", "", "b"))
	x.about = "the belief that a token is made of letters. It is text that only the server understands, and it travels in a URL, " +
		"where some characters mean something"
	x.asked("limit=1", "limit=1 continue=eyJ+&limit=9/==")
	x.want("30", "a", "b")
}

func TestRefused(t *testing.T) {
	exercise.Attempted(t)
	for name, x := range map[string]*listing{
		"the first page": list(t, 1, fakeapi.Status(403, "Forbidden", "not yours")),
		"a later page":   list(t, 1, answer("30", "t1", "a"), fakeapi.Status(500, "InternalError", "etcd is away")),
	} {
		exercise.Expect(t, x.err != nil && x.names == nil, exercise.Verdict{
			Expected: fmt.Sprintf("the server refuses %s, and List returns no names and the error", name),
			Happened: fmt.Sprintf("it returned the names %v and the error %v", x.names, x.err),
			PointsTo: "the belief that some of the objects are better than none. Who gets them takes the rest for deleted",
		})
	}
}

func TestExpired(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hangs))
	x := list(t, 2, answer("30", "t1", "a", "b"), expire("t9"), answer("40", "", "b", "c", "d"))
	x.story = "b, and before it a, were on the first page at 30; then a was deleted, and the server forgot 30"
	switch {
	case x.err != nil:
		x.about = "the belief that a 410 is the caller's affair. The collection is as healthy as before: it is only the state that the pages were of that is gone"
	case slices.Contains(x.names, "a") && x.query(2).Has("continue") && x.query(2).Get("continue") != "t9":
		x.asks = "it asked for continue=t1 again, and "
		x.about = "the belief that a token is good until it is used up. The server said that it does not know it any more"
	case x.query(2).Get("continue") == "t9":
		x.about = "the belief that a token that still works continues the same list. Its pages are of another time: what was deleted from the " +
			"earlier ones in between is in the result, and no watch from its resourceVersion will take it out"
	case slices.Equal(x.names, []string{"b", "c", "d"}):
		x.about = "the belief that a list has the resourceVersion of its first page. The names are those of the second list, and a watch from 30 " +
			"would be refused as too old, or tell of what they hold already"
	case len(x.names) == 2 && x.rv == "30":
		x.about = "the belief that an error after the first page is the end of the list. The other objects are there as before, and who gets only " +
			"these takes them for deleted"
	case slices.Contains(x.names, "a"):
		x.about = "the belief that pages add up whenever they were fetched. The pages before the 410 and those after it are of different times"
	}
	x.want("40", "b", "c", "d")
}

func TestExpiresEachTime(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hangs))
	x := play(t, 2, nil, func(q url.Values) *fakeapi.Answer {
		switch {
		case q.Has("continue"):
			return expire("")
		case q.Has("limit"):
			return answer("50", "t", "a", "b")
		}
		return answer("60", "", "a", "b", "c")
	})
	x.story = "the server forgets each list in pages before its second page"
	x.about = hangs
	x.want("60", "a", "b", "c")
}

func TestExpiredAtOnce(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(unasked))
	x := play(t, 2, nil, func(url.Values) *fakeapi.Answer { return fakeapi.Status(410, "Expired", "no") })
	n := len(x.server.Requests())
	exercise.Expect(t, x.err != nil && n <= tooMany, exercise.Verdict{
		Expected: "the server answers every request with 410, and List returns an error",
		Happened: fmt.Sprintf("it made %d requests, and returned the names %v and the error %v", n, x.names, x.err),
		PointsTo: unasked,
	})
}

// listing is a call of List and what came of it.
type listing struct {
	t            *testing.T
	server       *fakeapi.Server
	names        []string
	rv           string
	err          error
	about, story string
	asks         string // what it asked for, where that says more than what it returned
}

// list calls List on a server that gives these answers, and refuses what a real one would.
func list(t *testing.T, limit int, answers ...*fakeapi.Answer) *listing {
	t.Helper()
	return play(t, limit, answers, func(url.Values) *fakeapi.Answer {
		return fakeapi.Status(500, "InternalError", "no more answers were expected to be needed")
	})
}

// tooMany is more requests than any right solution makes.
const tooMany = 60

func play(t *testing.T, limit int, answers []*fakeapi.Answer, otherwise func(url.Values) *fakeapi.Answer) *listing {
	t.Helper()
	server := fakeapi.New(t)
	n := 0
	server.Otherwise(func(r fakeapi.Request) *fakeapi.Answer {
		q := r.Query
		if n++; n > tooMany {
			return fakeapi.Status(403, "Forbidden", "too many requests for one list")
		}
		if q.Has("continue") && q.Has("resourceVersion") {
			return fakeapi.Status(400, "BadRequest", "specifying resource version is not allowed when using continue")
		}
		if n <= len(answers) {
			return answers[n-1]
		}
		return otherwise(q)
	})
	x := &listing{t: t, server: server}
	x.names, x.rv, x.err = List(t.Context(), server.Client(), server.URL+"/api/v1/configmaps", limit)
	return x
}

func answer(resourceVersion, more string, names ...string) *fakeapi.Answer {
	return remaining(0, resourceVersion, more, names...)
}

// remaining is an answer with a remainingItemCount, unless it is 0: the last page has none.
func remaining(count int, resourceVersion, more string, names ...string) *fakeapi.Answer {
	var items []map[string]any
	for _, n := range names {
		items = append(items, fakeapi.ConfigMap("default", n, "7"))
	}
	l := fakeapi.List(resourceVersion, more, items...)
	if count > 0 {
		l["metadata"].(map[string]any)["remainingItemCount"] = count
	}
	return fakeapi.JSON(200, l)
}

// expire is the 410 for a continue token. The real one offers another token, for a list that is not of one state.
func expire(offer string) *fakeapi.Answer {
	s := fakeapi.StatusObject(410, "Expired", "The provided continue parameter is too old to display a consistent list result.")
	s["metadata"] = map[string]any{"continue": offer}
	return fakeapi.JSON(410, s)
}

// query returns the parameters of a request, counted from 0.
func (x *listing) query(i int) url.Values {
	if r := x.server.Requests(); i < len(r) {
		return r[i].Query
	}
	return url.Values{}
}

func (x *listing) want(rv string, names ...string) {
	x.t.Helper()
	v := exercise.Verdict{
		Expected: fmt.Sprintf("List returns the names %v at resourceVersion %s", names, rv),
		Happened: x.asks + fmt.Sprintf("it returned %v at %q", x.names, x.rv),
		PointsTo: x.about,
	}
	if x.story != "" {
		v.Expected = x.story + ". " + v.Expected
	}
	if x.err != nil {
		v.Happened = fmt.Sprintf("it returned the error %q", x.err)
	}
	var refusal *statusError
	requests := x.server.Requests()
	switch {
	case errors.As(x.err, &refusal) && refusal.Code == 400:
		v.PointsTo = "the belief that a continue token needs to be told which state it continues. It holds the resourceVersion, and the server refuses a second one"
	case len(requests) > tooMany:
		v.Happened = fmt.Sprintf("List had made %d requests and went on", tooMany)
		v.PointsTo = hangs
	case v.PointsTo == "" && len(x.names) < len(names):
		v.PointsTo = "the belief that the answer to a request with a limit is the list. It is a page, and its metadata says whether more follow"
	case v.PointsTo == "":
		v.PointsTo = "the names and the resourceVersion both come from the pages, and from nothing else"
	}
	exercise.Expect(x.t, x.err == nil && x.rv == rv && slices.Equal(x.names, names), v)
}

// asked compares the requests.
func (x *listing) asked(want ...string) {
	x.t.Helper()
	var got []string
	for i := range x.server.Requests() {
		var s []string
		for _, key := range []string{"limit", "continue"} {
			if q := x.query(i); q.Has(key) {
				s = append(s, key+"="+q.Get(key))
			}
		}
		got = append(got, strings.Join(s, " "))
	}
	about := x.about
	if about == "" {
		about = "the belief that the token remembers how many objects a page should have. Without a limit the server sends all the rest at once"
	}
	exercise.Expect(x.t, slices.Equal(got, want), exercise.Verdict{
		Expected: fmt.Sprintf("the requests ask for %s", strings.Join(want, ", then ")),
		Happened: "they asked for " + strings.Join(got, ", then "),
		PointsTo: about,
	})
}

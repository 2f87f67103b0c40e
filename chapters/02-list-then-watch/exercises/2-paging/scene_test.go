package paging_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/exercises/2-paging"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
)

// tooMany is more requests than any right solution makes for the few objects here.
const tooMany = 200

// state is a state of the collection: objects are written "namespace/name", in the server's order.
type state struct {
	version string
	objects []string
}

// position is what a token stands for: a state, and the object after which to go on in it.
type position struct {
	version string // "" is the state at the time of the request
	after   string
}

// collection answers as an API server does for one collection. Its fields are set before [collection.list].
type collection struct {
	now    state
	limit  int                     // what List is called with
	size   map[int]int             // how many objects the answer to the n-th request has at most
	count  func(rest int) int      // what remainingItemCount says; nil leaves it out
	token  string                  // what each token begins with
	do     map[int]*fakeapi.Answer // what the n-th request is answered with instead
	then   map[int]func()          // what happens after the n-th request
	cancel func()                  // ends the context of List
	gone   *fakeapi.Answer         // the answer to a token that is forgotten; nil is what the API server says today
	leaky  bool                    // every state is forgotten when its first page is out

	states  map[string]state // that the server remembers
	tokens  map[string]position
	offered map[string]bool // tokens that came with a 410
	begun   state           // that of the last request without a token
	log     []asked
}

// asked is what the server saw of a request.
type asked struct {
	limit          int
	token, version string
	expired        bool // the answer was a 410 for its token
	offered        bool // the token had come with a 410
}

// String writes a request as a verdict does.
func (a asked) String() string {
	s := "no limit"
	if a.limit > 0 {
		s = fmt.Sprintf("limit=%d", a.limit)
	}
	if a.token != "" {
		s += " continue=" + a.token
	}
	if a.version != "" {
		s += " resourceVersion=" + a.version
	}
	return s
}

// holds is a collection at resourceVersion 30.
func holds(limit int, objects ...string) *collection {
	return &collection{
		now: state{"30", objects}, limit: limit,
		size: map[int]int{}, do: map[int]*fakeapi.Answer{}, then: map[int]func(){},
		states: map[string]state{}, tokens: map[string]position{}, offered: map[string]bool{},
	}
}

// becomes changes the state, and has the server forget those before.
func (c *collection) becomes(version string, objects ...string) {
	clear(c.states)
	c.now = state{version, objects}
}

// answer is called by one request at a time.
func (c *collection) answer(r fakeapi.Request) *fakeapi.Answer {
	a := asked{token: r.Query.Get("continue"), version: r.Query.Get("resourceVersion")}
	a.limit, _ = strconv.Atoi(r.Query.Get("limit")) // "" and 0 are both no limit
	a.offered = c.offered[a.token]
	out := c.page(r.Path, &a, len(c.log)+1)
	c.log = append(c.log, a)
	if then := c.then[len(c.log)]; then != nil {
		then()
	}
	return out
}

// page is the answer to the n-th request.
func (c *collection) page(path string, a *asked, n int) *fakeapi.Answer {
	switch {
	case n > tooMany:
		return fakeapi.Status(403, "Forbidden",
			fmt.Sprintf("too many requests for one list (the grader's server, after %d requests)", tooMany))
	case c.do[n] != nil:
		return c.do[n]
	case path != "/api/v1/configmaps":
		return fakeapi.Status(404, "NotFound", "the server could not find the requested resource")
	case a.token != "" && a.version != "" && a.version != "0":
		return fakeapi.Status(400, "BadRequest", "specifying resource version is not allowed when using continue")
	case a.token == "" && a.version == "0":
		return fakeapi.JSON(200, fakeapi.List("10", "", item("old/cached"))) // the watch cache knows no limit
	}
	from := position{}
	if a.token != "" {
		var ok bool
		if from, ok = c.tokens[a.token]; !ok {
			return fakeapi.Status(400, "BadRequest", "continue key is not valid")
		}
		if _, ok := c.states[from.version]; from.version != "" && !ok {
			a.expired = true
			return c.expire(from)
		}
	}
	of := c.now
	if from.version != "" {
		of = c.states[from.version]
	}
	if a.token == "" {
		c.begun = of
	}
	return c.part(of, from.after, a.limit, n)
}

// part is the page of a state after an object.
func (c *collection) part(of state, after string, limit, n int) *fakeapi.Answer {
	rest := of.objects
	if after != "" {
		rest = slices.DeleteFunc(slices.Clone(rest), func(o string) bool { return o <= after })
	}
	size := len(rest)
	if limit > 0 {
		size = min(size, limit)
	}
	if less, ok := c.size[n]; ok && limit > 0 {
		size = min(size, less)
	}
	page, more := rest[:size], ""
	if size < len(rest) {
		last := after
		if size > 0 {
			last = page[size-1]
		}
		more = c.newToken(fmt.Sprintf("token%d", n), position{of.version, last})
		if !c.leaky {
			c.states[of.version] = of
		}
	}
	var items []map[string]any
	for _, o := range page {
		items = append(items, item(o))
	}
	list := fakeapi.List(of.version, more, items...)
	if more != "" && c.count != nil {
		list["metadata"].(map[string]any)["remainingItemCount"] = c.count(len(rest) - size)
	}
	return fakeapi.JSON(200, list)
}

func (c *collection) newToken(name string, p position) string {
	c.tokens[c.token+name] = p
	return c.token + name
}

// expire is the 410 for a token. It offers another one, which goes on from the same name in today's state.
func (c *collection) expire(from position) *fakeapi.Answer {
	if c.gone != nil {
		return c.gone
	}
	offer := c.newToken("offered", position{after: from.after})
	c.offered[offer] = true
	s := fakeapi.StatusObject(410, "Expired",
		"The provided continue parameter is too old to display a consistent list result. "+
			"You can start a new list without the continue parameter, "+
			"or use the continue token in this response to retrieve the remainder of the results. "+
			"Continuing with the provided token results in an inconsistent list - objects that were created, "+
			"modified, or deleted between the time the first chunk was returned and now may show up in the list.")
	s["metadata"] = map[string]any{"continue": offer}
	return fakeapi.JSON(410, s)
}

func item(object string) map[string]any {
	namespace, name, _ := strings.Cut(object, "/")
	return fakeapi.ConfigMap(namespace, name, "7")
}

// listing is what came of a call of List.
type listing struct {
	*collection
	t       *testing.T
	names   []string
	version string
	err     error
	strays  int // requests through another client
	open    []fakeapi.Request
	story   string
}

// list calls List. What it sends is recorded by the collection.
func (c *collection) list(t *testing.T) *listing {
	t.Helper()
	x := &listing{collection: c, t: t}
	exercise.Bubble(t, func(t *testing.T) {
		var ctx context.Context
		ctx, c.cancel = context.WithCancel(t.Context())
		defer c.cancel()
		strays := fakeapi.GuardDefault(t)
		server := fakeapi.New(t)
		server.Otherwise(c.answer)
		x.names, x.version, x.err = List(ctx, server.Client(), server.URL+"/api/v1/configmaps", c.limit)
		x.strays, x.open = strays(), server.OpenBodies()
	})
	return x
}

// clues tells which belief a result points to, written "[a b] 30".
type clues map[string]string

// want compares the result, and the requests that led to it.
func (x *listing) want(about clues, version string, names ...string) {
	x.t.Helper()
	x.wentThroughClient()
	v := exercise.Verdict{
		Expected: fmt.Sprintf("%sList returns the names %s at resourceVersion %s", x.story, few(names), version),
		Happened: fmt.Sprintf("it asked for %s, and returned %s at %q", x.requests(), few(x.names), x.version),
		PointsTo: about[fmt.Sprintf("%v %s", x.names, x.version)],
	}
	if x.err != nil {
		v.Happened = fmt.Sprintf("it asked for %s, and returned the error %q", x.requests(), x.err)
	}
	if len(x.log) > tooMany {
		v.Happened = fmt.Sprintf("List asked for %s, and went on after %d requests", x.requests(), tooMany)
	}
	if belief := x.belief(); belief != "" {
		v.PointsTo = belief
	}
	exercise.Expect(x.t, x.err == nil && x.version == version && slices.Equal(x.names, names), v)
	x.asksForPages()
	x.tidy()
}

// belief is what the requests say about the author, whatever came of them.
func (x *listing) belief() string {
	expired := map[string]bool{}
	for _, a := range x.log {
		switch {
		case a.offered:
			return "the belief that a token that works continues the same list. " +
				"The pages after the 410 are of another time: " +
				"what was deleted from the earlier ones in between is in the result, " +
				"and no watch from its resourceVersion will take it out"
		case expired[a.token]:
			return "the belief that a token is good until it is used up. " +
				"The server said that it does not know it any more"
		case a.token != "" && a.version != "" && a.version != "0":
			return "the belief that a continue token needs to be told which state it continues. " +
				"It holds the resourceVersion, and the server refuses a second one"
		}
		expired[a.token] = a.expired
	}
	if len(x.log) > tooMany && (x.log[tooMany-1].expired || x.log[tooMany-2].expired) {
		return "the belief that beginning again is always progress: " +
			"what made the list fail the first time is still there"
	}
	return ""
}

// asksForPages looks at the limit and the resourceVersion of each request.
func (x *listing) asksForPages() {
	x.t.Helper()
	for i, a := range x.log {
		if a.expired {
			return
		}
		about := ""
		if a.limit == 0 && i > 0 && x.log[0].limit == x.limit {
			about = "the belief that the token remembers how many objects a page should have. " +
				"Without a limit the server sends all the rest at once"
		}
		exercise.Expect(x.t, a.limit > 0 && a.limit <= x.limit, exercise.Verdict{
			Expected: fmt.Sprintf("limit is %d, and each request asks for that many objects or fewer", x.limit),
			Happened: fmt.Sprintf("request %d asked for %s", i+1, a),
			PointsTo: about,
		})
	}
}

// wentThroughClient looks for requests on other ways.
func (x *listing) wentThroughClient() {
	x.t.Helper()
	exercise.Expect(x.t, x.strays == 0, exercise.Verdict{
		Expected: "every request goes through the client that List was given",
		Happened: fmt.Sprintf("%d went through another, which has no way to the server", x.strays),
	})
}

// tidy looks at what no result shows.
func (x *listing) tidy() {
	x.t.Helper()
	for i, a := range x.log {
		exercise.Expect(x.t, a.version == "", exercise.Verdict{
			Expected: "no request has a resourceVersion",
			Happened: fmt.Sprintf("request %d asked for %s", i+1, a),
		})
	}
	exercise.Expect(x.t, len(x.open) == 0, exercise.Verdict{
		Expected: "List closes the body of each response",
		Happened: fmt.Sprintf("it returned, and %d of %d were open", len(x.open), len(x.log)),
	})
}

// fails wants List to have failed with an error that says this, after so many requests.
func (x *listing) fails(requests int, says, about string) {
	x.t.Helper()
	x.wentThroughClient()
	exercise.Expect(x.t, x.err != nil && len(x.log) == requests, exercise.Verdict{
		Expected: fmt.Sprintf("%sList returns the error, without another request", x.story),
		Happened: fmt.Sprintf("it asked for %s, and returned the names %v and the error %v",
			x.requests(), x.names, x.err),
		PointsTo: about,
	})
	if len(x.names) == 0 {
		about = ""
	}
	exercise.Expect(x.t, len(x.names) == 0 && x.version == "", exercise.Verdict{
		Expected: fmt.Sprintf("%sList returns no names, no resourceVersion, and the error", x.story),
		Happened: fmt.Sprintf("it returned the names %v, the resourceVersion %q and the error %v",
			x.names, x.version, x.err),
		PointsTo: about,
	})
	exercise.Expect(x.t, strings.Contains(x.err.Error(), says), exercise.Verdict{
		Expected: fmt.Sprintf("%sList returns the error of get, or one that wraps it: %q is in its text",
			x.story, says),
		Happened: fmt.Sprintf("the error was %q", x.err),
	})
	x.tidy()
}

// requests lists what was asked for, the first few.
func (x *listing) requests() string {
	if len(x.log) == 0 {
		return "nothing"
	}
	const shown = 6
	var s []string
	for _, a := range x.log[:min(shown, len(x.log))] {
		s = append(s, a.String())
	}
	out := strings.Join(s, ", then ")
	if len(x.log) > shown {
		out += ", then more"
	}
	return out
}

// few writes names, and of many only where they begin and end.
func few(names []string) string {
	const shown = 10
	if len(names) <= shown {
		return fmt.Sprint(names)
	}
	return fmt.Sprintf("[%s ... %s] (%d)", strings.Join(names[:3], " "), names[len(names)-1], len(names))
}

// fails410 fails the test of a List that returned the 410.
func (x *listing) fails410(about string) {
	x.t.Helper()
	exercise.Fail(x.t, exercise.Verdict{
		Expected: x.story + "List returns the objects all the same",
		Happened: fmt.Sprintf("it asked for %s, and returned the error %q", x.requests(), x.err),
		PointsTo: about,
	})
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

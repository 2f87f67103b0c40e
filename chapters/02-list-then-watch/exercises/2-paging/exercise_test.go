package paging_test

import (
	"fmt"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
)

var (
	// goesOn is what a hang means where the server answers everything.
	goesOn = exercise.HangMeans("a loop that goes on whatever the server answers, or goroutines that wait for each " +
		"other: the server has answered every request that came, and after too many of them refused")
	// waits is what a hang means where the server does not.
	waits = exercise.HangMeans("a request that does not know of ctx: " +
		"the server says nothing more, and only the end of ctx can end it")
)

func TestOnePage(t *testing.T) {
	exercise.Attempted(t, goesOn)
	x := holds(5, "default/a", "default/b").list(t)
	x.want(nil, "30", "a", "b")
	exercise.Expect(t, len(x.log) == 1, exercise.Verdict{
		Expected: "the first page has no continue token, and List makes one request",
		Happened: fmt.Sprintf("it asked for %s", x.requests()),
	})
}

func TestPages(t *testing.T) {
	exercise.Attempted(t, goesOn)
	c := holds(2, "apps/z", "default/a", "default/c", "default/z", "prod/b")
	c.count = func(rest int) int { return rest }
	x := c.list(t)
	x.want(clues{"[z a] 30": "the belief that the answer to a request with a limit is the list. " +
		"It is a page, and its metadata says whether more follow"}, "30", "z", "a", "c", "z", "b")
}

func TestRemainingItemCount(t *testing.T) {
	exercise.Attempted(t, goesOn)
	const belief = "the belief that remainingItemCount says when a list is complete. " +
		"A server that filters cannot tell how many are left, and leaves it out; where it is there, it is an estimate"
	for _, count := range []func(int) int{nil, func(int) int { return 1 }, func(rest int) int { return rest + 1 }} {
		c := holds(2, "default/a", "default/b", "default/c", "default/d", "default/e")
		c.count = count
		c.list(t).want(clues{"[a b] 30": belief, "[a b c d] 30": belief}, "30", "a", "b", "c", "d", "e")
	}
}

func TestPageSmallerThanTheLimit(t *testing.T) {
	exercise.Attempted(t, goesOn)
	const belief = "the belief that a page with fewer objects than asked for is the last. " +
		"The limit is a maximum: a server may send fewer, or none at all, while more are to come"
	c := holds(3, "default/a", "default/b", "default/c", "default/d")
	c.size[1], c.size[2] = 2, 0
	x := c.list(t)
	x.want(clues{"[a b] 30": belief}, "30", "a", "b", "c", "d")
	c = holds(3, "default/a", "default/b")
	c.size[1] = 0
	c.list(t).want(clues{"[] 30": belief}, "30", "a", "b")
}

func TestManyPages(t *testing.T) {
	exercise.Attempted(t, goesOn)
	var objects, names []string
	for i := range 100 {
		names = append(names, fmt.Sprintf("o%03d", i))
		objects = append(objects, "default/"+names[i])
	}
	holds(2, objects...).list(t).want(nil, "30", names...)
}

func TestNoObjects(t *testing.T) {
	exercise.Attempted(t, goesOn)
	holds(2).list(t).want(nil, "30")
}

func TestTokenWithSigns(t *testing.T) {
	exercise.Attempted(t, goesOn)
	c := holds(1, "default/a", "default/b")
	c.token = "eyJ+&limit=9/#?%41=="
	x := c.list(t)
	about := ""
	if plain := holds(1, "default/a", "default/b").list(t); plain.err == nil && len(plain.names) == 2 && x.err != nil {
		about = "the belief that a token is made of letters. " +
			"It is text that only the server understands, and it travels in a URL, where some characters mean something"
	}
	exercise.Expect(t, x.err == nil, exercise.Verdict{
		Expected: fmt.Sprintf("the first page has the token %s, and List asks for limit=1 continue=%[1]s",
			c.token+"token1"),
		Happened: fmt.Sprintf("it asked for %s, and returned the error %q", x.requests(), errorText(x.err)),
		PointsTo: about,
	})
	x.want(nil, "30", "a", "b")
}

func TestRefused(t *testing.T) {
	exercise.Attempted(t, goesOn)
	const belief = "the belief that some of the objects are better than none. " +
		"Whoever gets them takes the rest for deleted"
	c := holds(1, "default/a", "default/b")
	c.do[1] = fakeapi.Status(403, "Forbidden", "not yours")
	x := c.list(t)
	x.story = "the server refuses the first page with 403. "
	x.fails(1, "not yours", "")

	c = holds(1, "default/a", "default/b", "default/c")
	c.do[3] = fakeapi.Status(500, "InternalError", "etcd is away")
	x = c.list(t)
	x.story = "the server answers the third page with 500. "
	about := belief
	if x.err == nil && len(x.names) == 3 {
		about = "" // these are all
	}
	if about == "" && len(x.log) > 3 && x.log[2].token != "" && x.log[3].token == "" {
		about = "the belief that every failure of a page is a 410. " +
			"A 500 or a 403 may be the answer to the next request, too, and the caller decides"
	}
	x.fails(3, "etcd is away", about)

	c = holds(1, "default/a", "default/b", "default/c")
	c.do[2] = fakeapi.Status(500, "InternalError", "request 410 Expired in etcd")
	x = c.list(t)
	x.story = "the server answers the second page with 500, and its message has the number 410. "
	x.fails(2, "request 410 Expired in etcd", "")
}

func TestExpired(t *testing.T) {
	exercise.Attempted(t, goesOn)
	c := holds(2, "default/a", "default/b", "default/c", "default/d")
	c.then[1] = func() { c.becomes("40", "default/b", "default/c", "default/d") }
	x := c.list(t)
	x.story = "b, and before it a, were on the first page at 30; then a was deleted, and the server forgot 30. "
	if x.err != nil && len(x.log) == 2 && x.strays == 0 {
		x.fails410("the belief that a 410 is the caller's affair. " +
			"The collection is as healthy as before: it is only the state that the pages were of that is gone")
	}
	x.want(clues{
		"[a b b c d] 40": "the belief that pages add up whenever they were fetched. " +
			"The pages before the 410 and those after it are of different times",
		"[b c d] 30": "the belief that a list has the resourceVersion of its first page. The names are those of the " +
			"second list, and a watch from 30 would be refused as too old, or tell of what they hold already",
		"[a b] 30": "the belief that an error after the first page is the end of the list. " +
			"The other objects are there as before, and whoever gets only these takes them for deleted",
	}, "40", "b", "c", "d")
}

func TestExpiredInOtherWords(t *testing.T) {
	exercise.Attempted(t, goesOn)
	const old = "The provided continue parameter is too old."
	for _, refusal := range []struct {
		what   string
		answer *fakeapi.Answer
	}{
		{"that offers no token", fakeapi.Status(410, "Expired", old)},
		{"with the reason Gone", fakeapi.Status(410, "Gone", "the state of this token was compacted")},
		{"without a Status", fakeapi.Respond(410, "text/plain", "gone\n")},
	} {
		c := holds(2, "default/a", "default/b", "default/c", "default/d")
		c.then[1] = func() { c.becomes("40", "default/b", "default/c", "default/d") }
		c.gone = refusal.answer
		x := c.list(t)
		x.story = fmt.Sprintf("the server refuses the token of the first page with a 410 %s. ", refusal.what)
		x.want(nil, "40", "b", "c", "d")
	}
}

func TestExpiresLaterAndAgain(t *testing.T) {
	exercise.Attempted(t, goesOn)
	c := holds(1, "default/a", "default/b", "default/c", "default/d")
	c.then[2] = func() { c.becomes("40", "default/b", "default/c", "default/d", "default/e") }
	c.then[5] = func() { c.becomes("50", "default/c", "default/d", "default/e", "default/f") }
	x := c.list(t)
	x.story = "the server forgets 30 after the second request, and 40 after the fifth. "
	if c.begun.version == "50" { // a list in pages, begun a third time
		x.want(nil, "50", "c", "d", "e", "f")
		return
	}
	x.want(nil, "40", "b", "c", "d", "e")
}

func TestExpiresEachTime(t *testing.T) {
	exercise.Attempted(t, goesOn)
	c := holds(2, "default/a", "default/b", "default/c", "default/d", "default/e")
	c.leaky = true
	x := c.list(t)
	x.story = "the server forgets each list in pages before its second page. "
	x.want(nil, "30", "a", "b", "c", "d", "e")
}

func TestExpiredWithoutAToken(t *testing.T) {
	exercise.Attempted(t, goesOn)
	gone := func() *fakeapi.Answer {
		return fakeapi.Status(410, "Expired", "The resourceVersion for the provided list is too old.")
	}
	c := holds(2, "default/a", "default/b", "default/c")
	for n := range tooMany {
		c.do[n+1] = gone()
	}
	x := c.list(t)
	x.story = "the server answers each request with 410, and none has a token. "
	about := ""
	if len(x.log) > tooMany {
		about = "the belief that every 410 is about a token that grew too old. None of these requests carried one, " +
			"and each is answered like the one before"
	}
	x.fails(1, "too old", about)

	c = holds(2, "default/a", "default/b", "default/c")
	c.leaky = true
	c.do[3] = gone()
	x = c.list(t)
	x.story = "the server refuses the token of the first page with 410, " +
		"and the list that is begun again with 410, too. "
	x.fails(3, "too old", "")
}

func TestNoAnswer(t *testing.T) {
	exercise.Attempted(t, goesOn)
	for _, second := range []struct {
		what   string
		answer *fakeapi.Answer
	}{
		{"is cut in the middle", fakeapi.Stream(fakeapi.Send(`{"kind":"ConfigMapList","items":[{"met`), fakeapi.Cut())},
		{"is no JSON", fakeapi.Respond(200, "text/html", "<html>please log in</html>")},
	} {
		c := holds(1, "default/a", "default/b", "default/c")
		c.do[2] = second.answer
		x := c.list(t)
		x.story = fmt.Sprintf("the second page %s. ", second.what)
		x.fails(2, "", "")
	}
}

func TestContextEnds(t *testing.T) {
	exercise.Attempted(t, waits)
	c := holds(1, "default/a", "default/b", "default/c")
	c.do[2] = fakeapi.Stream(fakeapi.Do(func() { c.cancel() }), fakeapi.Hang())
	x := c.list(t)
	x.story = "ctx ends while the server is silent in the middle of the second page. "
	x.fails(2, "context canceled", "")

	c = holds(1, "default/a", "default/b", "default/c")
	c.leaky = true
	c.do[3] = fakeapi.Stream(fakeapi.Do(func() { c.cancel() }), fakeapi.Hang())
	x = c.list(t)
	x.story = "the server has forgotten the list, " +
		"and ctx ends while it is silent in the middle of the answer that begins it again. "
	x.fails(3, "context canceled", "")
}

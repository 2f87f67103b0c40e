package late_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/exercises/2-late"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestTellsWhatHappens(t *testing.T) {
	exercise.Attempted(t, exercise.LeakMeans("the belief that a handler which is not in the list any more is gone: "+
		"its goroutine waits for the next call for ever"))
	visit{
		after: "a1 b2 a3 -b b4 SYNCED c5 a6 -c c7 -a",
		want:  "*a1 *b2 ~a1>a3 -b2 *b4 +c5 ~a3>a6 -c5 +c7 -a6",
		about: clues{
			"*a1 *b2 ~a1>a3 -b2 *b4 *c5 ~a3>a6 -c5 *c7 -a6": "the belief that every object that is new is in the " +
				"initial list. That one is complete when the source says so, and what is added later is news",
		},
	}.expect(t)
	visit{after: "a9 a8 -a a0 a8 a7", want: "*a9 ~a9>a8 -a8 *a0 ~a0>a8 ~a8>a7"}.expect(t)
	visit{after: "1 a1 2 - 1", want: "*1 *a1 ~1>2 -2 *1"}.expect(t)
	visit{after: "-a a1 -b -a -a SYNCED -a", want: "*a1 -a1"}.expect(t)
}

func TestAHandlerThatComesLate(t *testing.T) {
	exercise.Attempted(t)
	visit{
		before: "a1 b2 a3 c4 -c SYNCED", after: "a5 d6 -b", want: "[*a3 *b2] ~a3>a5 +d6 -b2",
		about: clues{
			"~a3>a5 +d6 -b2": "the belief that who joins is told what happens from then on. It would be told that " +
				"objects change and go of which it never knew that they are there",
			"+a3 +b2 ~a3>a5 +d6 -b2": overForAll,
			"+b2 +a3 ~a3>a5 +d6 -b2": overForAll,
			"[*a3 *b2] ~a3>a5 *d6 -b2": "the belief that for a handler that comes late every add is initial. " +
				"Its initial list is what was in the store when it joined",
		},
	}.expect(t)
	visit{before: "a1 b2", after: "c3 SYNCED d4", want: "[*a1 *b2] *c3 +d4"}.expect(t)
	visit{before: "SYNCED", after: "a1 a2", want: "+a1 ~a1>a2"}.expect(t)
	visit{before: "SYNCED a1", after: "-a a2", want: "*a1 -a1 +a2"}.expect(t)
	visit{before: "a1 -a SYNCED -a", want: "nothing", after: ""}.expect(t)
}

const overForAll = "the belief that the initial list is over for everybody when the source has synced. For who joins " +
	"now it begins"

func TestNobodyWaitsForAHandler(t *testing.T) {
	exercise.Attempted(t)
	release := make(chan bool)
	var inside atomic.Bool
	slow := func() Handler { return &diary{during: func(string) { inside.Store(true); <-release }} }
	hub, quick, stuck := New(), &counter{}, ""
	first, other, third := hub.Join(slow(), true), hub.Join(quick, true), hub.Join(&counter{}, true)
	var late *Registration
	for _, call := range []struct {
		name string
		f    func()
	}{
		{"Set", func() { hub.Set(object("a1")) }},
		{"Set", func() { hub.Set(object("a2")) }},
		{"Get", func() { hub.Get("a") }},
		{"Remove", func() { hub.Remove("a") }},
		{"Set", func() { hub.Set(object("b3")) }},
		{"Resync", hub.Resync},
		{"Synced", hub.Synced},
		{"HasSynced", func() { first.HasSynced() }},
		{"Join", func() { late = hub.Join(slow(), true) }},
		{"Leave", third.Leave},
		{itsLeave, first.Leave},
	} {
		if stuck == "" && !returns(call.f) {
			stuck = call.name
		}
		soon(inside.Load)
	}
	const all = 5 // *a1 ~a1>2 -a2 *b3 ~b3>3
	told := stuck != "" || soon(func() bool { return quick.Load() == all })
	close(release)
	about := "the belief that somebody has to wait for a handler. The source is what reads the watch, and would " +
		"stand still as long as the slowest handler does"
	if stuck == itsLeave {
		about = "the belief that who leaves has to wait until the handler has returned. It may be the handler that " +
			"leaves, and it would wait for itself"
	}
	exercise.Expect(t, stuck == "", exercise.Verdict{
		Expected: "a handler has not returned from its OnAdd, and every call of the Hub returns meanwhile",
		Happened: stuck + " had not returned when nothing was left to run but the handler",
		PointsTo: about,
	})
	exercise.Expect(t, told, exercise.Verdict{
		Expected: fmt.Sprintf("a handler has not returned from its OnAdd, and another one is told %d things meanwhile", all),
		Happened: fmt.Sprintf("it was told %d when nothing was left to run but the first handler", quick.Load()),
		PointsTo: "the belief that one queue is enough for all handlers. Behind one that is slow, or waits for " +
			"the network, all of them would be late",
	})
	other.Leave()
	late.Leave()
}

const itsLeave = "Leave of its Registration"

func TestAnyNumberOfCallsWait(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans("the belief that there is a number of calls that is enough. "+
		"The first list of a big cluster has more objects than that, and then the source waits for the handler"))
	const many = 5000
	release := make(chan bool)
	l := ladder{begun: release}
	exercise.Bubble(t, func(*testing.T) {
		hub := New()
		r := hub.Join(&l, false)
		for n := range many {
			hub.Set(Object{Key: "a", Version: n})
		}
		close(release)
		synctest.Wait()
		r.Leave()
	})
	exercise.Expect(t, l.told == many && l.wrong == "", exercise.Verdict{
		Expected: fmt.Sprintf("an object is set %d times while a handler has not returned from its OnAdd: then "+
			"it is told of each change, one after the other", many),
		Happened: fmt.Sprintf("it was told of %d%s", l.told, l.wrong),
	})
}

// The source waits until the handler has been told. The handler looks at once, while the call that tells it may still
// run.
func TestTheStoreChangesFirst(t *testing.T) {
	exercise.Attempted(t)
	const rounds = 1000
	var wrong string
	exercise.Bubble(t, func(*testing.T) {
		hub := New()
		var removes atomic.Int64 // the last Remove that was called, as a number of the source's calls
		look := func(obj Object, gone bool) {
			call := int64(-obj.Version)
			got, ok := hub.Get("a")
			switch {
			case wrong != "":
			case gone && ok && got.Version >= obj.Version:
				wrong = fmt.Sprintf("in OnDelete of a%d, Get found a%d", obj.Version, got.Version)
			case !gone && ok && got.Version > obj.Version:
				wrong = fmt.Sprintf("when a handler was told of a%d, Get found a%d", obj.Version, got.Version)
			case !gone && !ok && removes.Load() < call:
				wrong = fmt.Sprintf("when a handler was told of a%d, Get found nothing", obj.Version)
			}
		}
		r := hub.Join(&functions{
			each:   func(obj Object) { look(obj, false) },
			remove: func(obj Object) { look(obj, true) },
		}, false)
		for n := 0; n < rounds && wrong == ""; n++ {
			if n%3 == 2 {
				removes.Store(int64(n))
				hub.Remove("a")
			} else {
				hub.Set(Object{Key: "a", Version: -n})
			}
			synctest.Wait()
		}
		r.Leave()
	})
	exercise.Expect(t, wrong == "", exercise.Verdict{
		Expected: "a sets Versions that fall: in a Handler's methods, Get finds what the Handler is told, " +
			"or what came later",
		Happened: wrong,
		PointsTo: "the belief that it does not matter whether the store or the handler comes first. Who is told of " +
			"an object reads the store, finds the state before, and acts on that",
	})
}

func TestResync(t *testing.T) {
	exercise.Attempted(t)
	const before, script = "a1 b2", "RESYNC c3 SYNCED -b RESYNC a4"
	visit{
		before: before, after: script, want: "[*a1 *b2] *c3 -b2 ~a1>a4",
		about: clues{
			"[*a1 *b2] ~a1>a1 ~b2>b2 *c3 -b2 ~a1>a1 ~c3>c3 ~a1>a4": resyncsAll,
			"[*a1 *b2] ~b2>b2 ~a1>a1 *c3 -b2 ~a1>a1 ~c3>c3 ~a1>a4": resyncsAll,
			"[*a1 *b2] ~a1>a1 ~b2>b2 *c3 -b2 ~c3>c3 ~a1>a1 ~a1>a4": resyncsAll,
			"[*a1 *b2] ~b2>b2 ~a1>a1 *c3 -b2 ~c3>c3 ~a1>a1 ~a1>a4": resyncsAll,
		},
	}.expect(t)
	visit{
		before: before, after: script, wantsResync: true,
		want: "[*a1 *b2] [~a1>a1 ~b2>b2] *c3 -b2 [~a1>a1 ~c3>c3] ~a1>a4",
	}.expect(t)
	visit{after: "RESYNC SYNCED RESYNC a1", wantsResync: true, want: "+a1"}.expect(t)
}

const resyncsAll = "the belief that a resync is for everybody. One handler that wants each object again every minute " +
	"would have all the others do their work again, too"

func TestHasSynced(t *testing.T) {
	exercise.Attempted(t)
	const (
		theHubs = "the belief that a handler has synced when its informer has. The store is complete then, and the " +
			"handler may not have seen any of it"
		taken = "the belief that a handler has seen an object when its method is called. It has when that returns"
		never = "the belief that a handler without objects to see has nothing to say. It has seen all of them"
	)
	for _, s := range []struct {
		story
		about clues
	}{
		{story{"join a1 b2 SYNCED ? let ? let ?", "no no yes"}, clues{"yes yes yes": theHubs, "no yes yes": taken}},
		{story{"a1 b2 SYNCED join ? let ? let ?", "no no yes"}, clues{"yes yes yes": theHubs, "no yes yes": taken}},
		{story{"join ? SYNCED ?", "no yes"}, clues{"no no": never}},
		{story{"join ? a1 ? let ? b2 ? let ? SYNCED ?", "no no no no no yes"}, nil},
		{story{"a1 join ? let ? SYNCED ?", "no no yes"}, nil},
		{story{"SYNCED join ?", "yes"}, clues{"no": never}},
		{story{"a1 -a SYNCED join ? b2 ?", "yes yes"}, clues{"no no": never}},
		{story{"a1 SYNCED join b2 a3 ? let ? let ? let ?", "no yes yes yes"}, nil},
		{story{"join a1 SYNCED let ? a2 ? let ? RESYNC -a ? let let ?", "yes yes yes yes yes"}, nil},
		{story{"join a1 a2 b3 -b SYNCED ? let let let let ? c1 ?", "no yes yes"}, nil},
		{story{"a1 b2 join SYNCED c3 d4 let ? let ?", "no yes"}, nil},
	} {
		var got string
		exercise.Bubble(t, func(*testing.T) { got = s.play() })
		exercise.Expect(t, got == s.want, exercise.Verdict{
			Expected: fmt.Sprintf("%q, where the handler returns from one call when it is let, and ? asks HasSynced "+
				"when everybody waits: it says %s", s.script, s.want),
			Happened: "it said " + got,
			PointsTo: s.about[got],
		})
	}
}

func TestLeave(t *testing.T) {
	exercise.Attempted(t)
	var told, others, idle string
	exercise.Bubble(t, func(*testing.T) {
		hub, g, other, third := New(), newGate(), &diary{}, &diary{}
		r, o, i := hub.Join(g, false), hub.Join(other, false), hub.Join(third, false)
		play(hub, "a1")
		synctest.Wait()
		i.Leave()
		play(hub, "b2 c3")
		g.let <- true
		synctest.Wait()
		r.Leave()
		play(hub, "d4")
		r.Leave()
		i.Leave()
		close(g.let)
		synctest.Wait()
		play(hub, "SYNCED RESYNC -a")
		synctest.Wait()
		o.Leave()
		told, others, idle = g.read(""), other.read(""), third.read("")
	})
	about := ""
	if told == "*a1 *b2 *c3" {
		about = "the belief that what was put into a queue before it is closed still counts. The handler has left, and " +
			"what it works with may be gone"
	}
	exercise.Expect(t, told == "*a1 *b2", exercise.Verdict{
		Expected: "b2 and c3 wait until a handler returns from OnAdd of a1. Then, in its OnAdd of b2, its Registration " +
			"leaves, twice: it is told *a1 *b2, and no more" + legend,
		Happened: "it was told " + told,
		PointsTo: about,
	})
	exercise.Expect(t, idle == "*a1", exercise.Verdict{
		Expected: "a handler was told *a1, and its Registration leaves: it is told no more" + legend,
		Happened: "it was told " + idle,
	})
	const want = "*a1 *b2 *c3 *d4 -a1"
	exercise.Expect(t, others == want, exercise.Verdict{
		Expected: "two others left meanwhile: a handler that did not is told " + want + legend,
		Happened: "it was told " + others,
	})
}

// The source does what it does before the handler returns from its first call.
func TestLeavesInTheMiddle(t *testing.T) {
	exercise.Attempted(t)
	for _, c := range []struct {
		script string
		told   int // calls, of which the last one runs when the Registration leaves
		during string
	}{
		{script: "c3", told: 1, during: "first OnAdd"},
		{script: "RESYNC c3", told: 3, during: "first OnUpdate"},
	} {
		var g *gate
		exercise.Bubble(t, func(*testing.T) {
			hub := New()
			g = newGate()
			play(hub, "a1 b2")
			r := hub.Join(g, true)
			play(hub, c.script)
			for range c.told - 1 {
				g.let <- true
			}
			synctest.Wait()
			r.Leave()
			close(g.let)
		})
		about := ""
		if len(g.told) == c.told+1 {
			about = "the belief that calls of the Handler which are put or taken together are one. With a big store " +
				"they take a handler minutes, and it has left"
		}
		exercise.Expect(t, len(g.told) == c.told, exercise.Verdict{
			Expected: fmt.Sprintf("the source does \"a1 b2\", a handler joins, and %s. In the handler's %s its "+
				"Registration leaves: that is call %d of the handler, and the last one", theSourceDoes(c.script),
				c.during, c.told),
			Happened: "it was told " + g.read("") + legend,
			PointsTo: about,
		})
	}
}

func TestAHandlerMayCallTheHub(t *testing.T) {
	exercise.Attempted(t)
	var told, second string
	exercise.Bubble(t, func(*testing.T) {
		hub, registration, d, late := New(), make(chan *Registration, 10), diary{}, diary{}
		third := hub.Join(&diary{}, false)
		d.during = func(word string) {
			r := <-registration
			registration <- r
			hub.Get("a")
			r.HasSynced()
			switch word {
			case "~a1>a3":
				third.Leave()
				registration <- hub.Join(&late, false)
			case "~b2>b4":
				r.Leave()
			}
		}
		r := hub.Join(&d, false)
		play(hub, "a1 b2 SYNCED a3")
		registration <- r
		synctest.Wait()
		play(hub, "b4")
		synctest.Wait()
		play(hub, "c5")
		synctest.Wait()
		for len(registration) > 0 {
			(<-registration).Leave()
		}
		told, second = d.read(""), late.read("[*a3 *b2] ~b2>b4 +c5")
	})
	const want, want2 = "*a1 *b2 ~a1>a3 ~b2>b4", "[*a3 *b2] ~b2>b4 +c5"
	exercise.Expect(t, told == want && second == want2, exercise.Verdict{
		Expected: "a handler calls Get, HasSynced, Leave of another, Join of a third, and its own Leave: it is told " +
			want + ", and the third " + want2 + legend,
		Happened: "they were told " + told + ", and " + second,
	})
}

func TestTheSameHandlerAgain(t *testing.T) {
	exercise.Attempted(t)
	var got []int64
	exercise.Bubble(t, func(*testing.T) {
		hub, c := New(), &counter{}
		one := functions{each: func(Object) { c.Add(1) }, remove: func(Object) { c.Add(1) }}
		play(hub, "a1")
		first, second, third := hub.Join(c, true), hub.Join(c, true), hub.Join(c, false)
		same, again := hub.Join(one, false), hub.Join(one, true)
		count := func() { synctest.Wait(); got = append(got, c.Load()) }
		count()
		play(hub, "b2")
		count()
		first.Leave()
		first.Leave()
		same.Leave()
		play(hub, "-b")
		count()
		play(hub, "RESYNC")
		count()
		second.Leave()
		third.Leave()
		again.Leave()
	})
	want := []int64{5, 10, 13, 15}
	exercise.Expect(t, slices.Equal(got, want), exercise.Verdict{
		Expected: fmt.Sprintf("a1 is set, two handlers join, one of them three times and one twice; b2 is set, each leaves "+
			"once, b is removed, and a resync is for one Registration of each: after each step they were told %v things",
			want),
		Happened: fmt.Sprintf("they were told %v", got),
	})
}

// Some of the scripts leave an object in the store, and some do not.
func TestNothingIsKeptOfWhoLeft(t *testing.T) {
	exercise.Attempted(t)
	for _, script := range []string{"", "a1", "a1 SYNCED", "a1 SYNCED b2 -b RESYNC"} {
		kept := true
		exercise.Bubble(t, func(*testing.T) {
			hub := New()
			handler := joinsAndLeaves(hub, script)
			for n := 0; n < 20 && kept; n++ {
				runtime.GC()
				kept = handler.Value() != nil
			}
			play(hub, "c3")
		})
		exercise.Expect(t, !kept, exercise.Verdict{
			Expected: "a handler joins, " + theSourceDoes(script) + ", and the handler leaves: nothing of it is in memory",
			Happened: "it is in memory as long as the Hub is: something of the Hub still leads to it",
		})
	}
}

func TestJoinsWhileTheSourceWrites(t *testing.T) {
	exercise.Attempted(t)
	over, stop := patient(400 * time.Millisecond)
	defer stop()
	for round := uint64(0); round < 5 || !over.Load(); round++ {
		wrong := ""
		exercise.Bubble(t, func(*testing.T) { wrong = joinsMeanwhile(round) })
		exercise.Expect(t, wrong == "", exercise.Verdict{
			Expected: "handlers join while the source writes: each is told what is in the store and what comes after, " +
				"so that it can keep the same objects",
			Happened: wrong,
		})
	}
}

// What two calls of any goroutines have in common, they have under a lock.
func TestAnyGoroutineAtAnyTime(t *testing.T) {
	exercise.Attempted(t)
	for round := range uint64(3) {
		wrong := ""
		exercise.Bubble(t, func(*testing.T) { wrong = anybody(round) })
		exercise.Expect(t, wrong == "", exercise.Verdict{
			Expected: "one goroutine is the source, one reads, and three have handlers join and leave: a handler that " +
				"was there from the start is told all",
			Happened: wrong,
		})
	}
}

func TestHubsShareNothing(t *testing.T) {
	exercise.Attempted(t)
	var told [2]string
	exercise.Bubble(t, func(*testing.T) {
		var both sync.WaitGroup
		for n := range told {
			both.Go(func() {
				for range 40 {
					hub, words := New(), make(chan string, 10)
					other := hub.Join(&counter{}, true)
					play(hub, "a1 SYNCED")
					r := hub.Join(&diary{during: func(word string) { words <- word }}, false)
					play(hub, "b2 RESYNC -a")
					time.Sleep(time.Second) // of virtual time: until everybody waits
					other.Leave()
					r.Leave()
					if told[n] = drained(words); told[n] != hubAlone {
						return
					}
				}
			})
		}
		both.Wait()
	})
	exercise.Expect(t, told == [2]string{hubAlone, hubAlone}, exercise.Verdict{
		Expected: "two goroutines have a Hub of their own each, and a handler in it that is told " + hubAlone + legend,
		Happened: fmt.Sprintf("they were told %q", told),
	})
}

const hubAlone = "*a1 +b2 -a1"

// Random scripts, against what the assignment says in the fewest words.
func TestRandomScripts(t *testing.T) {
	exercise.Attempted(t)
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 7))
		m := model{hub: New(), store: map[string]Object{}}
		exercise.Bubble(t, func(*testing.T) {
			m.hub = New()
			m.join(true)
			for n := 0; n < 25 && m.wrong == ""; n++ {
				m.step(random)
			}
			for len(m.joined) > 0 {
				m.leave(0)
			}
		})
		exercise.Expect(t, m.wrong == "", exercise.Verdict{
			Expected: strings.Join(m.script, ", ") + legend,
			Happened: m.wrong,
		})
	}
}

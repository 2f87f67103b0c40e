package mapping_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/exercises/1-map"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestCreations(t *testing.T) {
	exercise.Attempted(t)
	h := New()
	for _, verb := range verbs[:2] {
		for _, p := range []pod{
			{app: "shop"}, {also: "shop"}, {app: "shop", also: "till, stock"}, {}, {app: blank}, {also: blank},
			{app: "pod-1"}, {app: "east"}, {app: "shop", ns: "west"}, {app: "shop", also: "till", ns: "shop"},
			{app: "shop", phase: corev1.PodSucceeded}, {app: "shop", phase: corev1.PodFailed, also: "till"},
			{app: "shop", phase: corev1.PodPending}, {app: "shop", phase: corev1.PodRunning, node: "n1"},
			{app: "shop", also: "till", going: 5}, {also: "a, b, c, d, e, f, g, h, i, j, k, l, m, n"},
		} {
			tell(t, h, happens(verb, p))
		}
		for _, noise := range noiseNames() {
			tell(t, h, happens(verb, pod{app: "till", noise: noise}))
			tell(t, h, happens(verb, pod{also: "till", noise: noise}))
			tell(t, h, happens(verb, pod{noise: noise}))
		}
	}
}

// lists are annotations.
var lists = []string{
	"a,b", "a, b", "a ,b", " a , b ", "a,\tb", "\ta,b\t", "a,\n  b\n", "a,\r\nb", "a,\u00a0b\u2003", "a,,b", ",a,b,",
	"a, ,b", " ", ",", " , ,", "a,a", "a, a ,b,a", "b,a", "my shop", "my shop, a", "my  shop,my shop", "a;b", "a b",
	"a/b", "/", "a:b", "A", "a,A", "A.b", "a_b", "\"a\"", "'a,b'", "[a,b]", "*", "-", "ä,a", "a, shop , b", "shop",
	"a-very-long-name-that-has-more-than-sixty-three-characters-in-it-as-no-label-may",
}

func TestTheList(t *testing.T) {
	exercise.Attempted(t)
	h := New()
	for _, also := range lists {
		tell(t, h, happens(verbs[0], pod{also: also}))
		tell(t, h, happens(verbs[0], pod{also: also, app: "shop"}))
		tell(t, h, happens(verbs[0], pod{also: also, app: "a", ns: "west"}))
	}
}

func TestDeletions(t *testing.T) {
	exercise.Attempted(t)
	h := New()
	for _, verb := range verbs[2:4] {
		for _, p := range []pod{{app: "shop"}, {also: "till"}, {app: "shop", also: "till, shop,stock", ns: "west"}, {},
			{app: "shop", also: "a", going: 5}, {app: "shop", also: "a", phase: corev1.PodSucceeded, node: "n1"}} {
			tellAfter(t, h, happens(verb, p))
		}
	}
}

func TestGenericEvents(t *testing.T) {
	exercise.Attempted(t)
	h := New()
	for _, p := range []pod{{app: "shop"}, {also: "till"}, {app: "shop", also: "till, shop,stock", ns: "west"}, {},
		{app: "shop", also: "a", going: 5}, {app: "shop", also: "a", phase: corev1.PodSucceeded, node: "n1"}} {
		tell(t, h, happens(verbs[4], p))
	}
}

func TestAPodThatMoves(t *testing.T) {
	exercise.Attempted(t)
	h := New()
	for _, move := range []struct{ before, after pod }{
		{pod{app: "a"}, pod{app: "b"}}, {pod{also: "a"}, pod{also: "b"}}, {pod{app: "a"}, pod{also: "b,c"}},
		{pod{app: "a"}, pod{}}, {pod{}, pod{app: "a"}}, {pod{also: "a,b"}, pod{}}, {pod{}, pod{also: "a,b"}},
		{pod{app: "a"}, pod{app: blank}}, {pod{app: blank}, pod{app: "a"}}, {pod{also: "a"}, pod{also: blank}},
		{pod{app: "a"}, pod{app: "A"}}, {pod{also: "a b"}, pod{also: "a, b"}}, {pod{also: "a b"}, pod{also: "ab"}},
		{pod{app: "a", ns: "west"}, pod{app: "b", ns: "west"}}, {pod{app: "a", going: 3}, pod{app: "b", going: 3}},
		{pod{app: "a", phase: corev1.PodFailed}, pod{also: "b", phase: corev1.PodFailed}},
	} {
		tellAfter(t, h, updates(move.before, move.after))
	}
}

func TestWhatNoLineShows(t *testing.T) {
	exercise.Attempted(t)
	h := New()
	base := pod{app: "a", also: "b, c", phase: corev1.PodRunning, node: "n1"}
	for _, going := range []int{0, 5} {
		for _, noise := range append([]string{""}, noiseNames()...) {
			before, after := base, base
			before.going, after.going, after.noise = going, going, noise
			tellAfter(t, h, updates(before, after))
			tellAfter(t, h, updates(after, before))
			before.app, before.also = "", ""
			after.app, after.also = "", ""
			tellAfter(t, h, updates(before, after))
		}
	}
	tellAfter(t, h, updates(pod{app: "a", going: 5}, pod{app: "a", going: 5, abroad: true}))
	same := []pod{{also: "a,b"}, {also: " b ,, a,"}, {app: "a", also: "b"}, {app: "b", also: "a"},
		{app: "a", also: "b,b,a"}}
	for _, before := range same {
		for _, after := range same {
			tellAfter(t, h, updates(before, after))
		}
	}
	nowhere := []pod{{}, {app: blank}, {also: blank}, {also: " ,"}, {app: blank, also: ",,"}}
	for i, before := range nowhere {
		tellAfter(t, h, updates(before, nowhere[(i+1)%len(nowhere)]))
	}
	tellAfter(t, h, updates(pod{app: "a", version: "9"}, pod{app: "a", version: "10"}))
	tellAfter(t, h, updates(pod{app: "a", version: "10"}, pod{app: "a", version: "9"}))
}

func TestAPodThatStaysInSome(t *testing.T) {
	exercise.Attempted(t)
	h := New()
	for _, move := range []struct{ before, after pod }{
		{pod{app: "a", also: "b"}, pod{app: "a", also: "c"}},
		{pod{app: "a", also: "b"}, pod{app: "c", also: "b"}},
		{pod{app: "a"}, pod{app: "a", also: "b"}},
		{pod{app: "a"}, pod{app: "b", also: "a"}},
		{pod{app: "a", also: "b,c,d"}, pod{app: "a", also: "d,e,c"}},
		{pod{app: "a", also: "b"}, pod{app: "a"}}, {pod{app: "a", also: "b"}, pod{also: "b"}},
		{pod{app: "a", also: "b", node: "n1"}, pod{app: "a", also: "c", node: "n1", noise: "a condition"}},
		{pod{app: "a", also: "b", going: 5}, pod{app: "b", going: 5, abroad: true}},
		{pod{app: "a", also: "b", version: "9"}, pod{app: "b", version: "10"}},
	} {
		tellAfter(t, h, updates(move.before, move.after))
	}
}

// With another line, wherever it is.
func TestWhatALineShows(t *testing.T) {
	exercise.Attempted(t)
	h := New()
	where := []struct{ before, after pod }{{pod{app: "a"}, pod{app: "a"}}, {pod{also: "a,b"}, pod{app: "b", also: "a"}},
		{pod{app: "a", also: "b"}, pod{app: "b", also: "c"}}, {pod{}, pod{}}, {pod{app: "a"}, pod{}}}
	for _, lines := range []struct{ before, after pod }{
		{pod{phase: corev1.PodPending}, pod{phase: corev1.PodRunning}},
		{pod{phase: corev1.PodRunning}, pod{phase: corev1.PodSucceeded}},
		{pod{phase: corev1.PodRunning}, pod{phase: corev1.PodFailed}},
		{pod{phase: corev1.PodRunning}, pod{phase: corev1.PodUnknown}}, {pod{}, pod{phase: corev1.PodPending}},
		{pod{phase: corev1.PodPending}, pod{}}, {pod{}, pod{node: "n1"}}, {pod{node: "n1"}, pod{node: "n2"}},
		{pod{node: "n1"}, pod{}}, {pod{}, pod{uid: "u2"}}, {pod{}, pod{going: 5}}, {pod{going: 5}, pod{going: 6}},
		{pod{going: 6}, pod{going: 5}}, {pod{going: 5}, pod{}}, {pod{going: 6, uid: "u1"}, pod{uid: "u2"}},
		{pod{going: 5}, pod{going: 6, abroad: true}}, {pod{phase: "Running", node: "n1"}, pod{node: "n1", going: 8}},
		{pod{node: "x", uid: "y"}, pod{node: "y", uid: "x"}},
		{pod{phase: "a", node: "bc"}, pod{phase: "ab", node: "c"}},
	} {
		for i, w := range where {
			before, after := lines.before, lines.after
			before.app, before.also, after.app, after.also = w.before.app, w.before.also, w.after.app, w.after.also
			before.ns, after.ns = []string{"east", "west"}[i%2], []string{"east", "west"}[i%2]
			tellAfter(t, h, updates(before, after))
		}
	}
}

func TestAResync(t *testing.T) {
	exercise.Attempted(t)
	h := New()
	for _, p := range []pod{{app: "a"}, {app: "a", also: "b,a, c"}, {also: "b", ns: "west", node: "n1"}, {},
		{app: "a", phase: corev1.PodSucceeded}, {app: "a", going: 5}} {
		tellAfter(t, h, resyncs(p, p))
		noisy := p
		noisy.noise, noisy.abroad = "a condition", p.going != 0
		tellAfter(t, h, resyncs(p, noisy))
	}
	tellAfter(t, h, resyncs(pod{app: "a", also: "b"}, pod{app: "c", also: "b"}))
	tellAfter(t, h, resyncs(pod{app: "a", also: "b"}, pod{app: "c", also: "b", node: "n1"}))
	tellAfter(t, h, updates(pod{app: "a", version: blank}, pod{app: "a", also: "b", version: blank}))
}

// nothing is what keys point to that may come of several beliefs.
func nothing([]string) string { return "" }

func TestTheSameEventAgain(t *testing.T) {
	exercise.Attempted(t)
	h := New()
	remembers := func([]string) string {
		return "the belief that what came before has to be known, or is dealt with. An event has in it what the Pod " +
			"was and is, and a run of before may have found something else"
	}
	moves := updates(pod{app: "a", also: "b"}, pod{app: "c"})
	for _, e := range []happening{happens(verbs[0], pod{app: "a"}), moves, happens(verbs[2], pod{app: "c"}),
		resyncs(pod{app: "a"}, pod{app: "a"}), happens(verbs[4], pod{app: "a"}), happens(verbs[1], pod{app: "a"})} {
		tellAfter(t, h, e)
		for range 3 {
			tellBelieving(t, h, e, remembers)
		}
	}
	for _, e := range []happening{
		happens(verbs[2], pod{app: "a", also: "b"}), // it was seen last as what it was before it moved
		moves, happens(verbs[0], pod{app: "a", name: "pod-2"}),
		happens(verbs[0], pod{app: "a", name: "pod-2", ns: "west"}),
	} {
		tellBelieving(t, h, e, nothing)
	}
}

func TestWhatIsNoPod(t *testing.T) {
	exercise.Attempted(t)
	h := New()
	for _, as := range otherNames() {
		other := pod{app: "a", also: "b", as: as}
		for _, verb := range verbs {
			tell(t, h, happens(verb, other))
		}
		for _, p := range []pod{{app: "a", also: "c,d"}, {}, {app: "a", phase: corev1.PodRunning, node: "n1"}} {
			tell(t, h, updates(p, other))
			tell(t, h, updates(other, p))
			tell(t, h, resyncs(p, other))
			tell(t, h, resyncs(other, p))
		}
		for _, second := range otherNames() {
			tell(t, h, updates(other, pod{app: "b", as: second}))
			tell(t, h, resyncs(other, pod{app: "a", as: second}))
		}
	}
}

// random makes a pod that has something in common with most others.
func random(r *rand.Rand) pod {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	p := pod{app: pick("", "a", "b", "shop", blank), node: pick("", "n1", "n1", "n2"),
		phase: corev1.PodPhase(pick("Pending", "Running", "Running")),
		noise: pick(append(noiseNames(), "", "", "", "")...)}
	p.going = []int{0, 0, 0, 5, 6}[r.IntN(5)]
	p.abroad = p.going != 0 && r.IntN(2) == 0
	if r.IntN(10) == 0 {
		p.uid = "u2"
	}
	if r.IntN(25) == 0 {
		p.as = pick(otherNames()...)
	}
	for range r.IntN(5) {
		p.also += pick("a", "b", " shop", "my shop", " ", "", "A", "\tc\n") + pick(",", ",", " , ", "")
	}
	return p
}

func TestAnyEvent(t *testing.T) {
	exercise.Attempted(t)
	h, r := New(), rand.New(rand.NewPCG(13, 1))
	for range 1000 {
		before, after := random(r), random(r)
		if r.IntN(2) == 0 { // the line stays
			as, app, also, noise := after.as, after.app, after.also, after.noise
			after = before
			after.as, after.app, after.also, after.noise = as, app, also, noise
		}
		before.ns = fmt.Sprintf("ns-%d", r.IntN(2))
		after.ns, before.name = before.ns, fmt.Sprintf("pod-%d", r.IntN(3))
		after.name = before.name
		switch i := r.IntN(10); {
		case i < len(verbs):
			tellBelieving(t, h, happens(verbs[i], after), nothing)
		case i == len(verbs):
			tellBelieving(t, h, resyncs(before, after), nothing)
		default:
			tellBelieving(t, h, updates(before, after), nothing)
		}
	}
}

// Each informer has a queue, so that it is known who has added what. There are two events, and who has the same one has
// the same objects.
func TestSeveralAtOneTime(t *testing.T) {
	exercise.Attempted(t)
	h, r := New(), rand.New(rand.NewPCG(13, 2))
	for round := range 60 {
		var all sync.WaitGroup
		events, queues := make([]happening, 2), make([]notebook, 4)
		for i := range events {
			before, after := random(r), random(r)
			before.as, after.as = "", ""
			events[i] = updates(before, after)
			if round%3 == 0 {
				events[i] = happens(verbs[(round/3+i)%len(verbs)], after)
			}
			old, now := events[i].objects()
			for j := i; j < len(queues); j += len(events) {
				all.Go(func() { events[i].put(h, old, now, &queues[j]) })
			}
			all.Go(func() { // somebody else reads them
				for _, o := range []client.Object{old, now} {
					if o != nil {
						o.DeepCopyObject()
					}
				}
			})
		}
		all.Wait()
		for j := range queues {
			e, got := events[j%len(events)], list(queues[j].keys())
			exercise.Expect(t, got == list(e.keys()), exercise.Verdict{
				Expected: fmt.Sprintf("%v, while other informers have events, too: it leads to the keys %s", e,
					list(e.keys())),
				Happened: "it has led to " + got})
		}
	}
}

// A label is taken as it is. An API server lets none of these be written.
func TestTheLabelIsNoList(t *testing.T) {
	exercise.Attempted(t)
	h := New()
	for _, app := range []string{" ", " shop", "shop ", "a,b", "a, b", ",", "\t"} {
		tell(t, h, happens(verbs[0], pod{app: app}))
		tell(t, h, happens(verbs[0], pod{app: app, also: "shop, a"}))
		tell(t, h, updates(pod{app: "shop"}, pod{app: app}))
	}
}

func TestMomentsThatAreNear(t *testing.T) {
	exercise.Attempted(t)
	h := New()
	for _, nano := range []int{1, 999_999_999} {
		before, after := pod{app: "a", also: "b", going: 5}, pod{app: "a", also: "b", going: 5, nano: nano}
		tell(t, h, updates(before, after))
		tell(t, h, updates(after, before))
		tell(t, h, updates(after, after))
	}
}

func TestTheContextHasEnded(t *testing.T) {
	exercise.Attempted(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	h := New()
	for _, e := range []happening{happens(verbs[0], pod{app: "a"}), updates(pod{app: "a"}, pod{app: "b"}),
		happens(verbs[2], pod{app: "a", also: "b"}), resyncs(pod{app: "a"}, pod{app: "a"}),
		happens(verbs[4], pod{app: "a"})} {
		q := &notebook{}
		before, after := e.objects()
		e.putWith(ctx, h, before, after, q)
		exercise.Expect(t, list(q.keys()) == list(e.keys()), exercise.Verdict{
			Expected: fmt.Sprintf("%v, and ctx has ended: it leads to the keys %s", e, list(e.keys())),
			Happened: "it has led to " + list(q.keys()),
			PointsTo: "the belief that an ended ctx has to be looked for everywhere. What waits looks for it, and nothing " +
				"waits here"})
	}
}

// The Add of one informer's event takes as long as it takes until another informer's event has led to its keys.
func TestNoneWaitsForAnother(t *testing.T) {
	exercise.Attempted(t)
	created, moves := happens(verbs[0], pod{app: "a"}), updates(pod{app: "b"}, pod{app: "c"})
	for _, both := range [][2]happening{{created, moves}, {created, created}, {moves, moves}} {
		h := New()
		came, waited := make(chan struct{}), false
		q := &door{}
		q.enters = func() {
			go func() {
				defer close(came)
				puts(t, h, both[1], q)
			}()
			select {
			case <-came:
			case <-time.After(3 * time.Second): // of real time: who waits for a mutex keeps a bubble from ending
				waited = true
			}
		}
		puts(t, h, both[0], q)
		keys := q.keys()
		exercise.Expect(t, len(keys) > 0, exercise.Verdict{
			Expected: fmt.Sprintf("%v: it leads to the keys %s", both[0], list(both[0].keys())),
			Happened: "it has led to none"})
		<-came
		exercise.Expect(t, !waited, exercise.Verdict{
			Expected: fmt.Sprintf("an Add runs, of %v, and another informer has %v: that does not wait for the Add", both[0],
				both[1]),
			Happened: "it waited for three seconds, until the Add had returned",
			PointsTo: "the belief that a lock may be held while somebody else's code runs. That code may call back, and may " +
				"take as long as it likes"})
		want := slices.Sorted(slices.Values(append(slices.Clone(both[0].keys()), both[1].keys()...)))
		got := q.keys()
		exercise.Expect(t, list(got) == list(want), exercise.Verdict{
			Expected: fmt.Sprintf("an Add runs, of %v, and into the same queue comes %v: the keys of both are added, %s", both[0],
				both[1], list(want)),
			Happened: "added were " + list(got),
			PointsTo: "the belief that a key whose Add still runs is as good as added. What it was added for came before"})
	}
}

// The objects are those of two events, and in between somebody whose they are has changed one.
func TestTheSameObjectAgain(t *testing.T) {
	exercise.Attempted(t)
	h := New()
	first, second := happens(verbs[0], pod{app: "a", also: "c"}), happens(verbs[0], pod{app: "b", also: "d"})
	_, o := first.objects()
	_, next := second.objects()
	for i, e := range []happening{first, second, first} {
		q := &notebook{}
		e.put(h, nil, o, q)
		exercise.Expect(t, list(q.keys()) == list(e.keys()), exercise.Verdict{
			Expected: fmt.Sprintf("%v, and the object is that of the event before, which is another one by now: it leads to the "+
				"keys %s", e, list(e.keys())),
			Happened: "it has led to " + list(q.keys()),
			PointsTo: "the belief that a pointer says what it points to. Whoever has the object may change it"})
		if i == 0 {
			next.DeepCopyObject().(*corev1.Pod).DeepCopyInto(o.(*corev1.Pod))
			continue
		}
		_, was := first.objects()
		was.(*corev1.Pod).DeepCopyInto(o.(*corev1.Pod))
	}
}

// puts gives an event to a handler that is not to panic.
func puts(t *testing.T, h handler.EventHandler, e happening, q Queue) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			exercise.Report(t, exercise.Verdict{Expected: e.String() + ": nothing panics",
				Happened: fmt.Sprintf("a panic: %v", p)})
		}
	}()
	before, after := e.objects()
	e.put(h, before, after, q)
}

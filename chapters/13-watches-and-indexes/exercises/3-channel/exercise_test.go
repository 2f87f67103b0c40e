package channel_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/exercises/3-channel"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

var stays = exercise.LeakMeans("the belief that a goroutine ends when nobody needs it any more. One that waits for a " +
	"lock, a Cond or a channel is there until that comes, and nothing tells it of a ctx that it does not look at")

// This one is in no bubble: in one, what is always busy would hang the test.
func TestWaitsWithoutRunning(t *testing.T) {
	exercise.Attempted(t, stays)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var added atomic.Int64
	source := New()
	go func() { _ = source.Start(ctx, counter{queue{s: &scene{}}, &added}) }() // that it returns is another test's
	wait := func(after string) {
		t.Helper()
		exercise.Expect(t, rests(), exercise.Verdict{
			Expected: after + ", and then nothing happens: nothing runs",
			Happened: "it ran all the time, and had to be interrupted again and again",
			PointsTo: "the belief that a select with a default case waits. It never does: a loop around it keeps a " +
				"processor busy for as long as nothing happens, which is most of the time",
		})
	}
	wait("Start was called")
	go source.Notify(letter("a"))
	wait("a was notified")
	cancel()
	wait("ctx has ended")
}

// A Source that looks from time to time is busy for as long as virtual time passes.
func TestWaitsWithoutLooking(t *testing.T) {
	exercise.Attempted(t)
	turns, end := takeTurns()
	defer end()
	play(t, func(s *scene) {
		waits := func(after string) {
			if s.failed.Load() {
				return
			}
			passed := passes(turns)
			s.expect(passed >= years, after+", and then nothing happens for sixty years of virtual time: they are "+
				"over at once",
				fmt.Sprintf("when %v of them had passed, it was given up: something was done again and again", passed),
				"the belief that to look from time to time is to wait. Who looks seldom is late, and who looks "+
					"often costs time of a processor when nothing happens")
		}
		s.start(false)
		waits("Start was called")
		s.notify(letter("a"))
		s.settle()
		waits("a was notified, and its Add runs")
		s.letReturn()
		waits("its Add has returned")
		s.news()
		got := s.plays("b c")
		s.expect(got == "b(b) c(c)", "b and c are notified then: both are added at once, b(b) c(c)", "it was "+got, "")
	})
}

func TestNotifyWaitsForNobody(t *testing.T) {
	exercise.Attempted(t)
	const many = 5000
	keys := func(prefix string) (keys []Key) {
		for n := range many {
			keys = append(keys, letter(prefix+strconv.Itoa(n)))
		}
		return keys
	}
	said := fmt.Sprintf("%d different keys are notified: each Notify returns at once", many)
	enough := "the belief that there is a size that is enough. A standby is never started, and a queue's lock may " +
		"be held"
	play(t, func(s *scene) {
		began := own()
		s.expect(s.notify(letter("first"), letter("next")), "a key is notified before Start: Notify returns at once",
			"it waited",
			"the belief that somebody is there to receive. On a standby nobody is, for as long as it stands by")
		s.expect(own() == began, "then no goroutine has been started", fmt.Sprintf("%d have", own()-began), each)
		s.expect(s.notify(keys("a")...), "before Start "+said, "one waited", enough)
		if s.failed.Load() {
			return
		}
		returned, err := s.start(false)
		s.expect(returned && err == nil, "then Start returns nil at once", "it did not", startWaits)
		s.settle()
		s.expect(s.notify(letter("second")), "an Add runs, and a key is notified: Notify returns at once", "it waited",
			s.held())
		s.expect(s.notify(keys("b")...), "an Add runs, and "+said, "one waited", enough)
		if s.failed.Load() {
			return
		}
		s.letReturn()
		got := s.keys()
		s.expect(len(got) == 2*many+3, fmt.Sprintf("then all Adds return: all %d keys are added", 2*many+3),
			fmt.Sprintf("%d were", len(got)), dropped(got))
		s.cancel()
		s.settle()
		s.expect(s.notify(keys("c")...), "ctx has ended, and "+said, "one waited",
			"the belief that there is somebody who receives as long as somebody sends")
		s.settle()
		s.expect(len(s.keys()) == len(got), "ctx has ended: nothing more is added",
			fmt.Sprintf("%d more were", len(s.keys())-len(got)), "")
	})
}

// dropped is a belief about what is not added.
func dropped(got []Key) string {
	switch {
	case len(got) > 0 && got[0] == letter("second"):
		return forgets
	case len(got) > 1000 && got[1] == letter("next"):
		return "the belief that what finds no room may be dropped. Nobody notifies again: it has happened once"
	}
	return ""
}

const each = "the belief that a goroutine costs nothing. On a standby each would wait for ever, and nothing says " +
	"which " +
	"of them is first"

const forgets = "the belief that what is told before anybody listens is of no use. What has happened is told once"

func TestBeforeStart(t *testing.T) {
	exercise.Attempted(t)
	comes(t, "start a return", nil)
	comes(t, "a start return", clues{"a start return": forgets})
	comes(t, "a b c d e f g start return return return return return return return", clues{
		"a b c d e f g start return return return return return return return": forgets,
		"a b c d e f g start(g) return(f) return(e) return(d) return(c) return(b) return(a) return": "the belief " +
			"that who comes last is in a hurry. While others keep coming, the first one is never looked at",
	})
	comes(t, "e d c b a start return return return return return", nil)
}

func TestOneAddForWhatWaits(t *testing.T) {
	exercise.Attempted(t)
	const all = "the belief that a key is on its way when it was taken out. Its Add has not been called yet, and " +
		"that " +
		"one says all"
	comes(t, "a a a b a b start return return return", clues{
		"a a a b a b start(a) return(a) return(a) return(b)": "the belief that each notification has to be passed " +
			"on. " +
			"All that it says is that an object is to be looked at, and one look sees everything",
		"a a a b a b start(a) return(b) return(a) return(b)": "the belief that it is enough to compare with the " +
			"last one",
	})
	comes(t, "start a b c b c return return return return", nil)
	comes(t, "a b c start c b return return return return return", clues{
		"a b c start(a) c b return(b) return(c) return(c) return(b) return": all,
		"a b c start(a) c b return(c) return(b) return return return":       moves,
	})
	comes(t, "start a b b b return c c return return return", nil)
}

const moves = "the belief that a key that is notified again begins to wait again. One that is notified often would " +
	"never be added"

func TestNotifiedAgain(t *testing.T) {
	exercise.Attempted(t)
	const (
		once = "the belief that a key that was added needs no other Add. An object is looked at many times in its life"
		lost = "the belief that an Add that runs is early enough for what happens meanwhile. The queue may have " +
			"handed " +
			"the key out already: the object was looked at before this happened, and nobody will look again"
	)
	comes(t, "start a return a return a return return", clues{"start a(a) return a return a return return": once})
	comes(t, "start a a return return", clues{"start a(a) a return return": lost})
	comes(t, "a start a b a return return return a return return", clues{
		"a start(a) a b a return(b) return return a(a) return return": lost,
	})
	comes(t, "start a b return a return return b a return return", nil)
}

func TestInTheMiddleOfAnAdd(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(overAdd))
	comes(t, "start A return return return return", nil)
	comes(t, "start A b return return return return return", nil)
	comes(t, "B A start a return return return return return return", nil)
}

func TestStartIsOnce(t *testing.T) {
	exercise.Attempted(t)
	comes(t, "start again a return again b return return", nil)
	comes(t, "a start again b again return return return", nil)
	comes(t, "start a return end again b again", nil)
	comes(t, "end start again a again", nil)
	comes(t, "a start end again return again b", nil)
}

func TestTheEnd(t *testing.T) {
	exercise.Attempted(t, stays)
	const drains = "the belief that what waits has to be added before the end. The controller's workers have " +
		"ended, and " +
		"its queue takes nothing any more"
	comes(t, "start end a b", nil)
	comes(t, "a b start end return return return", clues{"a b start(a) end return(b) return return": drains})
	const either = "the belief that a select takes the first of its cases that is ready. It takes any of them"
	for range 40 { // a select with two cases that are ready chooses by chance
		comes(t, "a b end start return c return", clues{"a b end start(a) return c return": either})
	}
	comes(t, "start a return end b c return", nil)
	for range 40 {
		comes(t, "start a b end return return", clues{"start a(a) b end return(b) return": drains})
		comes(t, "start a end b return return c", clues{"start a(a) end b return(b) return c": drains})
	}
	play(t, func(s *scene) {
		s.meets = func(reconcile.Request) { s.cancel() }
		got := s.plays("a b start return return c return")
		s.expect(got == "a b start(a) return return c return", "a and b wait, and ctx ends when the Add of a was "+
			"called: nothing more is added", "it was "+got, "")
	})
}

func TestGoroutines(t *testing.T) {
	exercise.Attempted(t, stays)
	play(t, func(s *scene) {
		count := func(want int, after, belief string) {
			s.settle()
			got := own()
			s.expect(got == want, fmt.Sprintf("%s: %d goroutines of the Source are there", after, want),
				fmt.Sprintf("there are %d", got), belief)
		}
		many := make([]Key, 100)
		for n := range many {
			many[n] = letter("k" + strconv.Itoa(n))
		}
		count(0, "New was called", "the belief that what a Source needs it may start when it is made. Of one that is "+
			"never started nobody ends it")
		s.notify(many...)
		count(0, "before Start a hundred keys were notified", each)
		s.start(false)
		s.settle()
		began := own()
		s.expect(began == 1 || began == 2, "Start was called: one or two goroutines of the Source are there",
			fmt.Sprintf("there are %d", began), "")
		s.notify(many...)
		count(began, "then an Add runs, and a hundred keys were notified", each)
		s.letReturn()
		count(began, "then all were added", "the belief that a goroutine that has nothing to do can be started anew "+
			"later. Notify would have to do that")
		for _, key := range many[:20] {
			s.notify(key)
		}
		count(began, "then twenty were notified one by one", "")
	})
	play(t, func(s *scene) {
		s.start(false)
		s.cancel()
		s.settle()
		s.notify(letter("a"))
		s.settle()
		s.expect(own() == 0, "ctx has ended, and a was notified: no goroutine of the Source is there",
			fmt.Sprintf("there are %d", own()), "")
	})
}

func TestAnyKey(t *testing.T) {
	exercise.Attempted(t)
	all := []Key{{Namespace: "a/b", Name: "c"}, {Namespace: "a", Name: "b/c"}, {}, {Name: "c"}, {Namespace: "a"},
		{Namespace: "c"}, {Name: "a"}, {Namespace: "a", Name: "a"}, {Namespace: "b", Name: "a"}, {Name: "/"},
		{Namespace: "/"}, {Namespace: "A", Name: "a"}, {Namespace: "ab", Name: "c"}, {Namespace: "a", Name: "bc"}}
	for _, early := range []bool{true, false} {
		play(t, func(s *scene) {
			if early {
				s.notify(slices.Concat(all, all)...)
			}
			s.start(false)
			s.settle()
			if !early {
				s.notify(letter("first"))
				s.settle()
				s.notify(slices.Concat(all, all)...)
			}
			s.letReturn()
			got := s.keys()
			if !early {
				got = got[min(1, len(got)):]
			}
			s.expect(slices.Equal(got, all), fmt.Sprintf("notified twice are %q: each is added once, in this "+
				"order", all),
				fmt.Sprintf("added were %q", got), "")
		})
	}
}

// What a Source does is compared with what the assignment says, for scripts by chance.
func TestLikeTheAssignment(t *testing.T) {
	exercise.Attempted(t)
	for seed := range uint64(300) {
		chance := rand.New(rand.NewPCG(seed, 13))
		words := make([]string, 6+chance.IntN(25))
		letters := strings.Split("abcdeABab", "")[:2+chance.IntN(8)]
		for n := range words {
			switch d := chance.IntN(20); {
			case d < 12:
				words[n] = letters[chance.IntN(len(letters))]
			case d == 19 && n > 5:
				words[n] = "end"
			default:
				words[n] = "return"
			}
		}
		begins := chance.IntN(6)
		words[begins] = "start"
		if chance.IntN(3) == 0 {
			words[begins+1+chance.IntN(len(words)-begins-1)] = "again"
		}
		words = append(words, "return", "return", "return", "return")
		comes(t, strings.Join(words, " "), nil)
	}
}

// Somebody notifies at the moment at which the Source asks for the end of its ctx: when it has just looked, say, and is
// about to wait.
func TestWhenItIsAboutToWait(t *testing.T) {
	exercise.Attempted(t)
	for nth := range int64(12) {
		play(t, func(s *scene) {
			var times atomic.Int64
			s.ctx = telling{s.ctx, func() {
				if times.Add(1) == nth+1 {
					s.notify(letter("x"))
				}
			}}
			s.letReturn()
			s.start(false)
			s.settle()
			for _, name := range []string{"a", "b", "c"} {
				s.notify(letter(name))
				s.settle()
			}
			s.expect(times.Load() <= nth || slices.Contains(s.keys(), letter("x")),
				"x is notified at the moment at which ctx is looked at: x is added, and at once",
				fmt.Sprintf("added were %v", s.keys()), wakes)
		})
	}
}

// The end comes when the Source has looked for it and found none, and is about to wait. Nobody calls it again.
func TestTheEndWhenItIsAboutToWait(t *testing.T) {
	exercise.Attempted(t, stays)
	for nth := range int64(12) {
		play(t, func(s *scene) {
			var times atomic.Int64
			s.ctx = telling{s.ctx, func() {
				if times.Add(1) == nth+1 {
					s.cancel()
					for range 100 { // for whoever is told of the end
						runtime.Gosched()
					}
				}
			}}
			s.letReturn()
			s.start(false)
			s.settle()
			for _, name := range []string{"a", "b", "c"} {
				if times.Load() <= nth {
					s.notify(letter(name))
					s.settle()
				}
			}
			s.expect(times.Load() <= nth || own() == 0,
				"ctx ends at the moment at which it is looked at: no goroutine of the Source is there any more",
				fmt.Sprintf("there are %d", own()), wakes)
		})
	}
}

const wakes = "the belief that who is called hears it. Between the look that finds nothing and the wait for a call " +
	"there is a moment"

// The last Notify of each key comes before an Add of it, however many there are at once.
func TestNothingIsLost(t *testing.T) {
	exercise.Attempted(t)
	const senders, each = 6, 1500
	exercise.Bubble(t, func(t *testing.T) {
		s := newScene(t)
		s.letReturn()
		var latest, seen [20]atomic.Int64
		s.meets = func(request reconcile.Request) {
			n, _ := strconv.Atoi(request.Name)
			seen[n].Store(latest[n].Load())
		}
		var done sync.WaitGroup
		for from := range senders {
			done.Go(func() {
				if from == 1 {
					_ = s.source.Start(s.ctx, queue{s, false})
				}
				for n := range each {
					key := (n*7 + from) % len(latest)
					latest[key].Add(1)
					s.source.Notify(letter(strconv.Itoa(key)))
				}
			})
		}
		done.Wait()
		synctest.Wait()
		for n := range latest {
			s.expect(seen[n].Load() == latest[n].Load(), fmt.Sprintf("six goroutines notify 20 keys, 1500 times each: "+
				"after its last Notify a key is added once more, key %d after %d", n, latest[n].Load()),
				fmt.Sprintf("its last Add came after %d", seen[n].Load()), "")
		}
		s.expect(len(s.keys()) <= senders*each, "there are no more Adds than Notifies",
			fmt.Sprintf("there were %d", len(s.keys())), "")
		s.end()
	})
}

// Each key is notified once. Those who notify meet one another, and whoever adds.
func TestEachIsNotifiedOnce(t *testing.T) {
	exercise.Attempted(t)
	const senders, many = 8, 2000
	exercise.Bubble(t, func(t *testing.T) {
		s := newScene(t)
		defer s.end()
		s.letReturn()
		go func() { _ = s.source.Start(s.ctx, queue{s, false}) }()
		var done sync.WaitGroup
		begin := make(chan struct{})
		for from := range senders {
			done.Go(func() {
				<-begin
				for n := range many {
					s.source.Notify(letter(strconv.Itoa(from*many + n)))
				}
			})
		}
		close(begin)
		done.Wait()
		synctest.Wait()
		all := map[Key]bool{}
		for _, key := range s.keys() {
			all[key] = true
		}
		s.expect(len(all) == senders*many, "eight goroutines notify 2000 keys each, every key once: all are added",
			fmt.Sprintf("of %d keys %d were", senders*many, len(all)), "")
	})
}

// Whoever sees an Add notifies at once, or a little later, while the Source is on its way to its next wait.
func TestBackAndForth(t *testing.T) {
	exercise.Attempted(t)
	const rounds = 4000
	exercise.Bubble(t, func(t *testing.T) {
		s := newScene(t)
		defer s.end()
		var added atomic.Int64
		go func() { _ = s.source.Start(s.ctx, counter{queue{s: s}, &added}) }()
		for n := range int64(rounds) {
			s.source.Notify(letter("a"))
			for i := 0; added.Load() <= n && i < 5000; i++ {
				if i%100 == 99 {
					runtime.Gosched()
				}
			}
			if added.Load() <= n {
				synctest.Wait()
			}
			s.expect(added.Load() > n, fmt.Sprintf("a is notified as soon as its Add was called, %d times: it is "+
				"added each time", rounds), fmt.Sprintf("in round %d it was not", n+1), wakes)
			if s.failed.Load() {
				return
			}
			for i := int64(0); i < n%64; i++ { // a moment, another one each time
				added.Load()
			}
		}
	})
}

// At one moment, only one Start is the first.
func TestStartsAtOnce(t *testing.T) {
	exercise.Attempted(t)
	for range 50 {
		exercise.Bubble(t, func(t *testing.T) {
			s := newScene(t)
			s.letReturn()
			s.source.Notify(letter("a"))
			var started atomic.Int64
			var ready sync.WaitGroup
			begin := make(chan struct{})
			for range 8 {
				ready.Go(func() {
					<-begin
					if s.source.Start(s.ctx, queue{s, false}) == nil {
						started.Add(1)
					}
				})
			}
			close(begin)
			ready.Wait()
			synctest.Wait()
			s.expect(started.Load() == 1, "eight goroutines call Start at one moment: one gets nil",
				fmt.Sprintf("%d got nil", started.Load()), "")
			s.expect(own() <= 2, "eight goroutines call Start at one moment: one or two goroutines of the Source "+
				"are there",
				fmt.Sprintf("there are %d", own()), "")
			s.end()
		})
		if t.Failed() {
			return
		}
	}
}

func TestSourcesShareNothing(t *testing.T) {
	exercise.Attempted(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	exercise.Bubble(t, func(t *testing.T) {
		one, other, third := newScene(t), newScene(t), newScene(t)
		got := one.plays("a b") + ", " + other.plays("start a b") + ", " + one.plays("start") + ", " +
			third.plays("c") + ", " + other.plays("end return c") + ", " + one.plays("return return a") + ", " +
			third.plays("start return")
		const want = "a b, start a(a) b, start(a), c, end return c, return(b) return a(a), start(c) return"
		one.expect(got == want, "of three Sources one has a and b and is started later, another is started, has a and "+
			"b and its ctx ends, and a third has c: "+want, "it was "+got, "")
		one.end()
		other.end()
		third.end()
	})
}

// big are keys that take much memory: each has bytes of its own, those of one number are equal.
func big(n int) Key {
	return Key{Namespace: "default", Name: strings.Repeat("x", 1<<16) + strconv.Itoa(n)}
}

func TestMemory(t *testing.T) {
	exercise.Attempted(t)
	const many, room = 300, 6 << 20 // of the 19 MB that the keys have
	exercise.Bubble(t, func(t *testing.T) {
		s := newScene(t)
		var added atomic.Int64
		q := counter{queue{s: s}, &added}
		grown := func(source *Source, what, belief string, do func(n int)) {
			before := heap()
			for n := range many {
				do(n)
			}
			synctest.Wait()
			more := heap() - before
			s.expect(more < room, what+", each with 64 KB: the Source takes less than 6 MB",
				fmt.Sprintf("it took %d MB", more>>20), belief)
			source.Notify(Key{}) // the Source is still there
		}
		early := New()
		grown(early, "before Start one key is notified 300 times", "the belief that what is notified is to be "+
			"remembered. That a key waits is all there is to know of it", func(int) { early.Notify(big(0)) })
		_ = s.source.Start(s.ctx, q)
		grown(s.source, "300 keys are notified and added, one after the other", "the belief that keys are few. There "+
			"is one for each object that ever was", func(n int) { s.source.Notify(big(n)); synctest.Wait() })
		s.expect(added.Load() >= many, "300 keys are added", fmt.Sprintf("%d were", added.Load()), "")
		dropped := New()
		ctx, cancel := context.WithCancel(context.Background())
		grown(dropped, "300 keys wait, and then ctx ends", "the belief that who stops can leave what waits where it "+
			"is. The Source outlives its controller, for those who notify it have it", func(n int) {
			dropped.Notify(big(n))
			if n == many-1 {
				cancel()
				_ = dropped.Start(ctx, q)
			}
		})
		grown(dropped, "ctx has ended, and 300 keys are notified", "the belief that nobody notifies when nobody "+
			"listens. Who notifies does not know", func(n int) { dropped.Notify(big(n)) })
		s.end()
	})
}

// A Notify is compared with itself, where few wait and where many do, and the quickest of some tries counts: so a
// machine may be slow, or busy. There is no bubble here: in one, time is virtual.
func TestManyThatWait(t *testing.T) {
	exercise.Attempted(t)
	const few, many, once = 50, 20_000, 100
	sources, keys := [2]*Source{New(), New()}, [2]int{}
	notify := func(i, times int) time.Duration {
		began := time.Now()
		for range times {
			keys[i]++
			sources[i].Notify(Key{Namespace: "default", Name: "k" + strconv.Itoa(many+keys[i])})
		}
		return time.Since(began)
	}
	notify(0, few)
	notify(1, many)
	took := [2]time.Duration{math.MaxInt64, math.MaxInt64}
	for range 10 {
		for i := range sources {
			took[i] = min(took[i], notify(i, once))
		}
	}
	times := int(took[1] / max(took[0], 1))
	exercise.Expect(t, times < 20, exercise.Verdict{
		Expected: fmt.Sprintf("%d keys are notified: it takes no longer when %d others wait than when few do", once,
			many),
		Happened: fmt.Sprintf("it took %d times as long", times),
		PointsTo: "the belief that to look through all that wait is quick. It is done for each of them, and " +
			"whoever notifies waits for it",
	})
}

// While one key is added, the other is notified, so that one waits at any time.
func TestOneAlwaysWaits(t *testing.T) {
	exercise.Attempted(t)
	const many, room = 300_000, 4 << 20
	exercise.Bubble(t, func(t *testing.T) {
		s := newScene(t)
		var adds, more atomic.Int64
		var began atomic.Int64
		s.letReturn()
		ping := noter{queue: queue{s: s}, do: func(key Key) {
			switch n := adds.Add(1); {
			case n == 1000:
				began.Store(int64(heap()))
			case n == many:
				more.Store(int64(heap()) - began.Load())
			case n > many:
				return
			}
			s.source.Notify(key)
		}}
		s.source.Notify(letter("a"))
		s.source.Notify(letter("b"))
		_ = s.source.Start(s.ctx, ping)
		synctest.Wait()
		s.expect(adds.Load() >= many, fmt.Sprintf("an Add notifies its key, while another one waits, until there were %d Adds",
			many), fmt.Sprintf("there were %d", adds.Load()), "")
		s.expect(more.Load() < room, fmt.Sprintf("an Add notifies its key, while another one waits, until there were %d Adds: "+
			"the Source takes no more memory than when it began", many), fmt.Sprintf("it took %d MB more", more.Load()>>20),
			"the belief that there is a moment at which nothing waits. What is given back then is never given back")
		s.end()
	})
}

// The Add that runs ends ctx itself, and returns at once: nobody has looked in between.
func TestAnAddEndsIt(t *testing.T) {
	exercise.Attempted(t)
	const many = 300
	play(t, func(s *scene) {
		var adds atomic.Int64
		ends := noter{queue: queue{s: s}, do: func(Key) {
			if adds.Add(1) == 1 {
				s.cancel()
			}
		}}
		for n := range many {
			s.source.Notify(letter(strconv.Itoa(n)))
		}
		_ = s.source.Start(s.ctx, ends)
		synctest.Wait()
		s.expect(adds.Load() <= 2, fmt.Sprintf("%d keys wait, and the first Add ends ctx before it returns: no other Add is "+
			"called, but for one that may have been about to be", many), fmt.Sprintf("%d Adds were called", adds.Load()),
			"the belief that whoever watches for the end is told before anybody goes on. ctx has ended, and a goroutine that "+
				"waits for it has not run yet")
	})
}

// The first Adds, behind which many keys wait, are compared with the last ones. There is no bubble here: in one, time
// is virtual.
func TestManyThatAreAdded(t *testing.T) {
	exercise.Attempted(t)
	const many, once, tries = 20_000, 100, 10
	source := New()
	for n := range many {
		source.Notify(Key{Namespace: "default", Name: "k" + strconv.Itoa(many+n)})
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var adds atomic.Int64
	var moments [many/once + 1]time.Time // after so many times a hundred
	done := make(chan struct{})
	moments[0] = time.Now()
	_ = source.Start(ctx, noter{do: func(Key) {
		n := adds.Add(1)
		if n <= many && n%once == 0 {
			moments[n/once] = time.Now()
		}
		if n == many {
			close(done)
		}
	}})
	<-done
	quickest := func(from int) time.Duration {
		took := time.Duration(math.MaxInt64)
		for n := from; n < from+tries; n++ {
			took = min(took, moments[n+1].Sub(moments[n]))
		}
		return took
	}
	times := int(quickest(0) / max(quickest(many/once-tries), 1))
	exercise.Expect(t, times < 20, exercise.Verdict{
		Expected: fmt.Sprintf("%d keys wait, and an Add returns at once: the first %d take no longer than the last, "+
			"behind which none waits", many, once),
		Happened: fmt.Sprintf("they took %d times as long", times),
		PointsTo: "the belief that to take the first out of a slice is quick. All others are moved, with a lock held, and " +
			"whoever notifies waits for that",
	})
}

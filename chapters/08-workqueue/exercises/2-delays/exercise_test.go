package delays_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/exercises/2-delays"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

const (
	looks = "the belief that it is enough to look from time to time. Who looks seldom is late, and who looks often " +
		"costs time of a processor while nothing happens"
	armed = "the belief that a timer that runs will do. It was set for the item that was first then"
	back  = "an add that is called while a lock is held, or by the only goroutine that takes what AddAfter gives: " +
		"add is code of somebody else, which comes back"
)

func TestInItsMoment(t *testing.T) {
	exercise.Attempted(t, leaves)
	comes(t, "a+1234567ns", clues{
		"a at 2ms": looks, "a at 10ms": looks, "a at 100ms": looks, "a at 1s": looks, "a at 10s": looks,
	}, "a at 1.234567ms")
	comes(t, "a+1s @5s a+2s @20s b+1s", nil, "a at 1s, a at 7s, b at 21s")
	comes(t, "a+3s b+1s c+2s", clues{
		"a at 3s, b at 3s, c at 3s": armed,
	}, "b at 1s, c at 2s, a at 3s")
	comes(t, "a+3s @1s b+1s @1500ms c+1s", clues{
		"a at 3s, b at 3s, c at 3s": armed,
	}, "b at 2s, c at 2.5s, a at 3s")
}

func TestInTheSameMoment(t *testing.T) {
	exercise.Attempted(t, leaves)
	const once = "the belief that a timer ends once for each item. It ends once for a time, and several may " +
		"wait for it"
	comes(t, "a+1s b+1s c+1s", clues{
		"a at 1s": once, "b at 1s": once, "c at 1s": once,
	}, "a at 1s, b at 1s, c at 1s")
	comes(t, "a+3s b+4s @1s c+2s d+2s @2s e+2s", nil, "a at 3s, c at 3s, d at 3s, b at 4s, e at 4s")
}

func TestTheEarlierTimeHolds(t *testing.T) {
	exercise.Attempted(t, leaves)
	comes(t, "a+1s a+3s", clues{
		"a at 1s, a at 3s": "the belief that each call is a call of add. Who asks for an item twice, because it " +
			"failed and because it changed, wants to look at it once",
		"a at 3s": "the belief that what was said last holds. Who goes on saying it puts the item off for ever, and " +
			"who asked for the earlier time had a reason",
	}, "a at 1s")
	comes(t, "a+1s b+4s c+6s d+8s e+9s d+2s", clues{
		"a at 1s, b at 4s, c at 6s, d at 8s, e at 9s": "the belief that who waits already has a time, and nothing is " +
			"left to do. A change may have come since, and want a look sooner",
		"a at 1s, b at 4s, d at 4s, c at 6s, e at 9s": "the belief that a heap sees what changes in it. It was in " +
			"order when an element came, and compares nothing until the next comes or goes",
	}, "a at 1s, d at 2s, b at 4s, c at 6s, e at 9s")
	comes(t, "a+10s @8s a+5s", clues{
		"a at 13s": "the belief that the shorter delay is the earlier time. Each begins when AddAfter is called",
	}, "a at 10s")
	comes(t, "b+2s a+3s a+1s", clues{"a at 2s, b at 2s": armed}, "a at 1s, b at 2s")
	comes(t, "a+10s @8s a+1s a+2s", nil, "a at 9s")
	comes(t, "a+5s b+5s a+3s b+4s a+2s b+6s", nil, "a at 2s, b at 4s")
}

func TestAddCallsAddAfter(t *testing.T) {
	exercise.Attempted(t, leaves, exercise.HangMeans(back))
	follow := map[string][]string{"a": {"b+1s", "c+0s"}, "c": {"d+0s", "e+2s"}}
	var waits atomic.Value // the call of AddAfter that has not returned
	calls := func(s *scene, item string) {
		for _, word := range follow[item] {
			other, delay, _ := strings.Cut(word, "+")
			waits.Store(fmt.Sprintf("AddAfter of %s with %s", other, delay))
			s.d.AddAfter(other, duration(delay))
			waits.Store("")
		}
	}
	delayed(t, calls, func(s *scene) {
		s.addAfter("a", time.Second)
		s.until(20 * time.Second)
		call, _ := waits.Load().(string)
		s.expect(call == "", exercise.Verdict{
			Expected: "the time of a has come, and its add calls " + call + ": that returns",
			Happened: "it waited, and so did the add",
			PointsTo: back,
		})
		s.play("a+0s")
		got := s.told()
		const want = "a at 1s, c at 1s, d at 1s, b at 2s, e at 3s, a at 20s, c at 20s, d at 20s, b at 21s, e at 22s"
		s.expect(got == want, exercise.Verdict{
			Expected: "a+1s @20s a+0s, where an add of a calls AddAfter of b with 1s and of c with 0s, and one of c " +
				"that of d with 0s and of e with 2s: add is called with " + want,
			Happened: "it was " + got,
		})
	})
}

func TestWithoutADelay(t *testing.T) {
	exercise.Attempted(t, leaves)
	for _, delay := range []time.Duration{0, -time.Second} {
		var missing []string
		nested := func(s *scene, item string) {
			if item != "a" {
				return
			}
			s.d.AddAfter("b", delay)
			if !strings.Contains(s.told(), "b at") {
				missing = append(missing, "b")
			}
		}
		delayed(t, nested, func(s *scene) {
			s.d.AddAfter("c", delay)
			if !strings.Contains(s.told(), "c at") {
				missing = append(missing, "c")
			}
			s.play("a+1s")
			s.expect(missing == nil, exercise.Verdict{
				Expected: fmt.Sprintf("AddAfter of c with a delay of %v, and in the add of a one of b: when it "+
					"returns, add was called with it", delay),
				Happened: fmt.Sprintf("add was not yet called with %s", strings.Join(missing, " and ")),
				PointsTo: "the belief that soon is at once. Who has called AddAfter counts on it that the item " +
					"is in the queue",
			})
			got := s.told()
			s.expect(got == "c at 0s, a at 1s, b at 1s", exercise.Verdict{
				Expected: "then nothing waits, and add was called with c at 0s, a at 1s, b at 1s",
				Happened: "it was " + got,
			})
		})
	}
	comes(t, "A+1s @2s A+0s @3s return", nil, "A at 1s, A at 2s")
}

func TestWaitsAgain(t *testing.T) {
	exercise.Attempted(t, leaves)
	comes(t, "a+1s @1s a+1s @5s a+3s a+2s", nil, "a at 1s, a at 2s, a at 7s")
	again := func(s *scene, item string) {
		if len(s.calls()) < 3 {
			s.d.AddAfter(item, time.Second)
		}
	}
	for _, first := range []int{1, 0} {
		delayed(t, again, func(s *scene) {
			s.play(fmt.Sprintf("a+%ds", first))
			got, clue := s.told(), ""
			if got == fmt.Sprintf("a at %ds", first) {
				clue = "the belief that an item waits until its add has returned. What add says about it meanwhile " +
					"is lost"
			}
			want := fmt.Sprintf("a at %ds, a at %ds, a at %ds", first, first+1, first+2)
			s.expect(got == want, exercise.Verdict{
				Expected: fmt.Sprintf("a+%ds, where add of a calls AddAfter of a with 1s, twice: add is called with %s",
					first, want),
				Happened: "it was " + got,
				PointsTo: clue,
			})
		})
	}
	comes(t, "A+0s @1s A+3s @2s return", nil, "A at 0s, A at 4s")
}

func TestWhileAnAddRuns(t *testing.T) {
	exercise.Attempted(t, leaves)
	const many = 2000
	delayed(t, nil, func(s *scene) {
		s.addAfter("A", time.Second)
		s.until(2 * time.Second)
		returned := 0
		for n := range many {
			if !s.addAfter(fmt.Sprint("a", n), time.Duration(10+n%3)*time.Second) {
				break
			}
			returned++
		}
		clue := "the belief that there is a size that is enough. Many items may fail at once, and add may be held up"
		if returned < 10 {
			clue = ""
		}
		s.expect(returned == many, exercise.Verdict{
			Expected: fmt.Sprintf("an add runs, and meanwhile AddAfter is called for %d other items: it returns", many),
			Happened: fmt.Sprintf("%d calls returned, and the next waited", returned),
			PointsTo: clue,
		})
		ok := s.addAfter("b", 0)
		got := s.told()
		s.expect(ok && got == "A at 1s, b at 2s", exercise.Verdict{
			Expected: "an add runs, and meanwhile AddAfter of b is called with 0s: it calls add, and returns",
			Happened: fmt.Sprintf("it returned: %v; add was called with %s", ok, got),
		})
		s.letReturn()
		s.until(time.Minute)
		s.expect(len(s.calls()) == many+2, exercise.Verdict{
			Expected: fmt.Sprintf("an add runs, and meanwhile AddAfter is called for %d other items: add is called "+
				"with each", many+1),
			Happened: fmt.Sprintf("it was called with %d", len(s.calls())-1),
		})
	})
	comes(t, "A+1s @2s b+1s c+15s @3s return", nil, "A at 1s, b at 3s, c at 17s")
	comes(t, "A+1s @2s A+2s @4s return @30s b+1s", nil, "A at 1s, A at 4s, b at 31s")
}

// An item that an add holds up still waits. Which one that is, if any, is left open.
func TestWaitsWhileHeldUp(t *testing.T) {
	exercise.Attempted(t, leaves)
	delayed(t, nil, func(s *scene) {
		s.addAfter("A", time.Second)
		s.addAfter("B", time.Second)
		s.until(time.Second)
		told := s.told()
		for _, item := range []string{"A", "B"} {
			if !strings.Contains(told, item) {
				s.addAfter(item, 30*time.Second)
			}
		}
		s.play("return")
		got := s.told()
		s.expect(got == "A at 1s, B at 1s", exercise.Verdict{
			Expected: fmt.Sprintf("A+1s B+1s @1s: add is called with %s, and runs. AddAfter is called with 30s of "+
				"what that holds up. Add returns: all in all it is called with A at 1s, B at 1s", told),
			Happened: "it was " + got,
		})
	})
}

func TestNoGoroutineForEachItem(t *testing.T) {
	exercise.Attempted(t, leaves)
	const many, few = 1000, 20
	delayed(t, nil, func(s *scene) {
		before := goroutines()
		for n := range many {
			s.addAfter(fmt.Sprint("a", n), time.Duration(5+n%5)*time.Second)
		}
		more := goroutines() - before
		s.expect(more <= few, exercise.Verdict{
			Expected: fmt.Sprintf("%d items wait: there is no goroutine for each", many),
			Happened: fmt.Sprintf("there were %d more than before", more),
			PointsTo: "the belief that a goroutine that sleeps costs nothing. It keeps its stack, and nothing wakes " +
				"it before its time, neither an earlier one nor Stop",
		})
		s.until(20 * time.Second)
		s.expect(len(s.calls()) == many, exercise.Verdict{
			Expected: fmt.Sprintf("%d items wait: add is called with each", many),
			Happened: fmt.Sprintf("it was called %d times", len(s.calls())),
		})
	})
}

func TestTheLongestDelay(t *testing.T) {
	exercise.Attempted(t, leaves)
	comes(t, fmt.Sprintf("a+%v b+1s", time.Duration(math.MaxInt64)), nil, "b at 1s")
}

func TestAfterStop(t *testing.T) {
	exercise.Attempted(t, leaves, exercise.HangMeans(back))
	comes(t, "a+1s b+3s c+4s @2s stop", nil, "a at 1s")
	comes(t, "a+1s stop b+0s c+1s a+2s", nil, "nothing")
	comes(t, "a+2s @1s stop @2s stop a+1s stop", nil, "nothing")
}

func TestStopWhileAnAddRuns(t *testing.T) {
	exercise.Attempted(t, leaves, exercise.HangMeans(back))
	var returned atomic.Bool // the AddAfter that an add calls
	calls := func(s *scene, item string) {
		if capital(item) {
			<-s.release
			s.d.AddAfter("c", 0)
			returned.Store(true)
		}
	}
	delayed(t, calls, func(s *scene) {
		s.addAfter("A", time.Second)
		s.addAfter("B", time.Second)
		s.until(time.Second)
		before := s.told()
		stopped := s.stop()
		s.letReturn()
		s.expect(returned.Load(), exercise.Verdict{
			Expected: "an add runs, and another goroutine calls Stop. Then that add calls AddAfter of c with 0s: " +
				"AddAfter returns",
			Happened: "it waited, and so did the add",
			PointsTo: back,
		})
		s.until(time.Minute)
		got := s.told()
		s.expect(got == before || !stopped, exercise.Verdict{
			Expected: fmt.Sprintf("A+1s B+1s @1s: add is called with %s, and runs. Stop is called, and returns. Then "+
				"the add calls AddAfter of c with 0s, and returns: add is not called any more", before),
			Happened: "all in all it was called with " + got,
		})
		s.play("d+0s e+1s")
		s.expect(s.told() == got, exercise.Verdict{
			Expected: "then AddAfter is called with d and e: add is not called any more",
			Happened: "all in all it was called with " + s.told(),
		})
	})
}

func TestTheSame(t *testing.T) {
	exercise.Attempted(t, leaves)
	type key struct{ namespace, name string }
	items := []struct {
		text string
		item any
	}{
		{`key{"a b", "c"}`, key{"a b", "c"}},
		{`key{"a", "b c"}`, key{"a", "b c"}},
		{`&key{"d", "e"}`, &key{"d", "e"}},
		{`another &key{"d", "e"}`, &key{"d", "e"}},
		{`1`, 1},
		{`"1"`, "1"},
	}
	exercise.Bubble(t, func(*testing.T) {
		var mu sync.Mutex
		added := map[any]int{}
		d := New(func(item any) {
			mu.Lock()
			defer mu.Unlock()
			added[item]++
		})
		var texts []string
		for _, i := range items {
			d.AddAfter(i.item, time.Second)
			d.AddAfter(i.item, time.Second)
			texts = append(texts, i.text)
		}
		time.Sleep(time.Minute)
		d.Stop()
		synctest.Wait()
		for _, i := range items {
			if added[i.item] != 1 {
				exercise.Report(t, exercise.Verdict{
					Expected: fmt.Sprintf("AddAfter is called twice with each of %s, and no two of them are equal: "+
						"add is called once with each", strings.Join(texts, ", ")),
					Happened: fmt.Sprintf("it was called %d times with %s", added[i.item], i.text),
				})
				return
			}
		}
	})
}

// The race detector sees who else looks.
func TestCallsAtOnce(t *testing.T) {
	exercise.Attempted(t, leaves)
	type key struct{ namespace, name string }
	const goroutines, each = 8, 50
	exercise.Bubble(t, func(*testing.T) {
		var mu sync.Mutex
		var added []string
		began := time.Now()
		d := New(func(k key) {
			mu.Lock()
			defer mu.Unlock()
			added = append(added, fmt.Sprintf("%s/%s at %v", k.namespace, k.name, time.Since(began)))
		})
		for g := range goroutines {
			go func() {
				for n := range each {
					d.AddAfter(key{"all", fmt.Sprint(n)}, time.Duration(1+(n+g)%goroutines)*time.Second)
					d.AddAfter(key{fmt.Sprint(g), fmt.Sprint(n)}, 9*time.Second)
				}
			}()
		}
		time.Sleep(time.Minute)
		var want []string
		for n := range each {
			want = append(want, fmt.Sprintf("all/%d at 1s", n))
			for g := range goroutines {
				want = append(want, fmt.Sprintf("%d/%d at 9s", g, n))
			}
		}
		mu.Lock()
		slices.Sort(added)
		slices.Sort(want)
		if !slices.Equal(added, want) {
			exercise.Report(t, exercise.Verdict{
				Expected: fmt.Sprintf("%d goroutines call AddAfter for the same %d items, of which the earliest time "+
					"is 1s, and for %d of their own: add is called with each once, in its moment",
					goroutines, each, each),
				Happened: fmt.Sprintf("it was called %d times, and %s", len(added), firstOther(added, want)),
			})
		}
		mu.Unlock()
		d.Stop()
	})
	for range 20 {
		stopsMeanwhile(t)
	}
}

// stopsMeanwhile calls Stop while another goroutine calls AddAfter, and for the items themselves nothing is promised.
func stopsMeanwhile(t *testing.T) {
	exercise.Bubble(t, func(*testing.T) {
		d := New(func(int) {})
		go d.Stop()
		go func() {
			for n := range 50 {
				d.AddAfter(n, time.Duration(n%2))
			}
		}()
		synctest.Wait()
		d.Stop()
		time.Sleep(time.Second)
	})
}

// firstOther says where what was added is not what was wanted. Both are sorted.
func firstOther(added, want []string) string {
	for n := range added {
		if n >= len(want) || added[n] != want[n] {
			return fmt.Sprintf("with %s", added[n])
		}
	}
	return fmt.Sprintf("not with %s", want[len(added)])
}

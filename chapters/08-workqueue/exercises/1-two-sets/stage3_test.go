// Stage 3: waiting, and the end

package twosets_test

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/exercises/1-two-sets"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The simplest case: the line is empty, and then it is not.
func TestGetWaits(t *testing.T) {
	exercise.Attempted(t)
	atWork(t, "Get waits; Add a, and a Get returns a", nil)
}

func TestGetsWaitInPeace(t *testing.T) {
	exercise.Attempted(t)
	sleepsAllYear(t)
	atWork(t, "Get waits; Get waits; Get waits; "+
		"Add a, b, c, and a Get returns a, and a Get returns b, and a Get returns c", nil)
	atWork(t, "Add a; Get returns a; Get waits; Add a; Done a, and a Get returns a", nil)
}

// A Get that waits is woken, and does not run before somebody else has taken the item.
func TestTwoGetsForOneItem(t *testing.T) {
	exercise.Attempted(t)
	oneAtATime(t)
	played(t, (*scene).leave, func(s *scene) {
		s.call("Get")
		s.settle()
		s.start("Get", func() string {
			s.q.Add("a")
			return get(s.q)
		})
		s.settle()
		first, second := cmp.Or(strings.Join(s.reap(), " and "), "Get waits"), s.step("Add b")
		if first != "Get returns a" || second != "Add b, and a Get returns b" {
			exercise.Report(t, exercise.Verdict{
				Expected: "a Get waits, and somebody calls Add a and, at once, Get: one of the two returns a. Then, " +
					"Add b, and a Get returns b",
				Happened: "it was: " + past(first+". Then, "+second),
				PointsTo: "the belief that a Get that is woken finds what it was woken for. Another one may have been " +
					"faster",
			})
		}
	})
}

func TestShutDown(t *testing.T) {
	exercise.Attempted(t)
	play(t, "ShutDown; Get returns true; Get returns true", nil)
	play(t, "Get waits; ShutDown, and a Get returns true", nil)
	play(t, "Get waits; Get waits; Get waits; "+
		"ShutDown, and a Get returns true, and a Get returns true, and a Get returns true", clues{
		"ShutDown, and a Get returns true": "the belief that all who wait are told when one is. Each has to be woken",
	})
	play(t, "Add a, b; ShutDown; Get returns a; Get returns b; Get returns true", clues{
		"Get returns true": emptyAtTheEnd,
	})
	play(t, "ShutDown; Add a; Get returns true", nil)
	play(t, "Add a; Get returns a; Add a; ShutDown; Done a; Get returns a; Done a; Get returns true", clues{
		"Get returns true": lineClosed,
	})
}

// All ways to make five calls about two items.
func TestEveryHistory(t *testing.T) {
	exercise.Attempted(t)
	everyHistory(t, 5, "Add a", "Add b", "Get", "Done a", "Done b", "ShutDown")
}

// Two calls that nothing orders, for every two methods. It is the race detector that has something to say.
func TestCallsAtOnce(t *testing.T) {
	exercise.Attempted(t)
	oneAtATime(t)
	calls := []string{"Add c", "Len", "Get", "Done a", "ShutDown", "ShuttingDown"}
	for _, one := range calls {
		for _, other := range calls {
			if one != other || one != "Done a" && one != "ShutDown" { // those are called once
				atOnce(t, one, other)
			}
		}
	}
}

// atOnce makes two calls while a worker has a, some times, since either may come first.
func atOnce(t *testing.T, one, other string) {
	t.Helper()
	for range 10 {
		played(t, (*scene).end, func(s *scene) {
			s.step("Add a, b, d")
			s.step("Get")
			s.call(one)
			s.call(other)
			s.settle()
			s.reap()
		})
	}
}

// A worker looks at the version of its item, as at an object in a cache: at the end the last one was seen.
func TestManyWorkers(t *testing.T) {
	exercise.Attempted(t)
	const producers, workers, items, adds = 4, 8, 5, 5000
	var versions, seen, busy [items]atomic.Int64
	var together atomic.Int64 // how often an item was with two workers
	exercise.Bubble(t, func(*testing.T) {
		q := New[int]()
		for range workers {
			go func() {
				for {
					item, shutdown := q.Get()
					if shutdown {
						return
					}
					if busy[item].Add(1) > 1 {
						together.Add(1)
					}
					version := versions[item].Load()
					runtime.Gosched()
					seen[item].Store(version)
					busy[item].Add(-1)
					q.Done(item)
				}
			}()
		}
		for range producers {
			go func() {
				for n := range adds {
					versions[n%items].Add(1)
					q.Add(n % items)
					runtime.Gosched()
				}
			}()
		}
		synctest.Wait()
		q.ShutDown()
	})
	story := fmt.Sprintf("%d goroutines add %d items, %d times each, while %d workers process them: ", producers, items,
		adds/items, workers)
	exercise.Expect(t, together.Load() == 0, exercise.Verdict{
		Expected: story + "no item is with two workers at once",
		Happened: fmt.Sprintf("that happened %d times", together.Load()),
	})
	for item := range items {
		exercise.Expect(t, seen[item].Load() == versions[item].Load(), exercise.Verdict{
			Expected: fmt.Sprintf("%sthe worker that gets item %d last sees the last version, %d", story, item,
				versions[item].Load()),
			Happened: fmt.Sprintf("it was version %d", seen[item].Load()),
		})
	}
}

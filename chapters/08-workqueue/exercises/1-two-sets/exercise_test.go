package twosets_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/exercises/1-two-sets"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// What several histories may point to.
const (
	emptyAtTheEnd = "the belief that a queue is empty when it is shut down. Nothing more comes, and what has come " +
		"before has to be processed"
	lineClosed = "the belief that after the shutdown nothing comes into the line. This item was added before"
	looking    = "the belief that to look from time to time is to wait. Who looks seldom is late, and who looks " +
		"often is busy when nothing happens"
	oneIsAll = "the belief that all who wait are told when one is. Each has to be woken"
)

func TestInLineOnce(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Add a b c; Len: 3; Get: a; Get: b; Get: c; Len: 0", nil)
	play(t, "Add a a a; Add a; Len: 1; Get: a; Done a; Get: waits", nil)
	play(t, "Add a b; Add a; Get: a; Get: b; Get: waits", clues{
		"Get: b": "the belief that an Add gives an item a new place. What changes all the time would never be first",
	})
	play(t, "Add a; Get: a; Done a; Add a; Get: a; Done a; Add b a; Get: b; Get: a", nil)
	allAreItems(t, clues{
		`"a", "b"`: "the belief that a zero value is no item. Every value is one, as it is a key in a map",
	}, "a", "", "b")
	allAreItems[any](t, clues{
		`1`: "the belief that what is written alike is equal. Two values of different types are two items",
	}, 1, "1")
}

func TestGetWaits(t *testing.T) {
	exercise.Attempted(t)
	sleepsAllYear(t)
	play(t, "Get: waits; Add a, and Get returns a; Get: waits; Add b, and Get returns b", clues{
		"Add a; a minute later Get returns a": looking,
	})
	play(t, "Get: waits; Get: waits; Get: waits; Get: waits; "+
		"Add a b c, and Get returns a, and Get returns b, and Get returns c", nil)
	oneAtATime(t)
	played(t, func(s *scene) {
		s.call("Get")
		s.settle()
		s.start("Add a", func() string {
			s.q.Add("a") // who waits was woken, and does not run before the other one
			s.call("Get")
			return ""
		})
		s.settle()
		first := strings.Join(s.reap(), ", ")
		second := s.step("Add b")
		if first != "Add a, Get: a" || second != "Add b, and Get returns b" {
			exercise.Report(t, exercise.Verdict{
				Expected: "a Get waits; a is added, and at the same time somebody else calls Get: one of the two " +
					"returns a, and the other one waits; then b is added, and it returns b",
				Happened: fmt.Sprintf("what returned was %s, and then %s", first, second),
			})
		}
	})
}

func TestAddedWhileItIsProcessed(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Add a; Get: a; Add a; Done a; Get: a; Done a; Get: waits", clues{
		"Get: waits": "the belief that an item that is being processed need not be added. Its worker may have looked " +
			"at the object already: nobody would see what happened since",
	})
	play(t, "Add a; Get: a; Add a a; Add a; Done a; Get: a; Done a; Get: waits", nil)
	play(t, "Add a b; Get: a; Add a; Done a; Get: b; Get: a", clues{
		"Get: a": "the belief that an item that was added again goes on at once. One that changes all the time would " +
			"keep all others waiting",
	})
}

func TestOneWorkerAnItem(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Add a; Get: a; Add a; Get: waits", clues{
		"Get: a": "the belief that what a worker has taken is no longer the queue's affair. Until its Done the " +
			"worker has it, and now another one has it, too",
	})
	play(t, "Add a; Get: a; Add a; Add b; Get: b; Add b; Get: waits; Done b, and Get returns b; Get: waits; "+
		"Done a, and Get returns a", nil)
	play(t, "Add a; Get: a; Get: waits; Add a; Done a, and Get returns a", nil)
}

func TestRoomForAll(t *testing.T) {
	exercise.Attempted(t)
	const many = 20_000
	played(t, func(s *scene) {
		added, taken := 0, 0
		s.start("Adds", func() string {
			for ; added < many; added++ {
				s.q.Add(fmt.Sprint(added))
			}
			return ""
		})
		s.settle()
		if added < many {
			exercise.Report(t, exercise.Verdict{
				Expected: fmt.Sprintf("nobody calls Get, and %d items are added: no Add waits", many),
				Happened: fmt.Sprintf("after %d the next one waited", added),
				PointsTo: "the belief that there is a size that is enough. The first list of a cluster brings all " +
					"its objects at once",
			})
			return
		}
		other := ""
		s.start("Gets", func() string {
			for ; taken < many && other == ""; taken++ {
				item, shutdown := s.q.Get()
				if item != fmt.Sprint(taken) || shutdown {
					other = fmt.Sprintf(", and then Get: %s, %t", item, shutdown)
				}
				s.q.Done(item)
			}
			return ""
		})
		s.settle()
		if taken < many || other != "" {
			exercise.Report(t, exercise.Verdict{
				Expected: fmt.Sprintf("%d items were added: a worker gets them all, in their order", many),
				Happened: fmt.Sprintf("it got %d%s", taken, other),
			})
		}
	})
}

func TestShutDown(t *testing.T) {
	exercise.Attempted(t)
	play(t, "ShuttingDown: false; ShutDown; ShuttingDown: true; Get: shutdown; ShutDown; Get: shutdown", nil)
	play(t, "Get: waits; ShutDown, and Get returns shutdown", nil)
	play(t, "Get: waits; Get: waits; Get: waits; "+
		"ShutDown, and Get returns shutdown, and Get returns shutdown, and Get returns shutdown", clues{
		"ShutDown, and Get returns shutdown": oneIsAll,
	})
	play(t, "Add a b; ShutDown; Get: a; Get: b; Get: shutdown; Done a; Done b; Get: shutdown", clues{
		"Get: shutdown": emptyAtTheEnd,
	})
	play(t, "ShutDown; Add a; Len: 0; Get: shutdown", nil)
	play(t, "Add a; Get: a; Add a; ShutDown; Done a; Get: a; Done a; Get: shutdown", clues{
		"Get: shutdown": lineClosed,
	})
	play(t, "Add a; Get: a; ShutDown; Add a; Done a; Len: 0; Get: shutdown", nil)
	play(t, "Add a; Get: a; Add a; ShutDown; Get: shutdown; Done a; Get: a; Done a; Get: shutdown", nil)
}

func TestShutDownWithDrain(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Add a b; Get: a; ShutDownWithDrain: waits; ShuttingDown: true; Done a; Get: b; Get: shutdown; "+
		"Done b, and ShutDownWithDrain returns", clues{
		"Done a, and ShutDownWithDrain returns": "the belief that all is processed when nobody processes anything. " +
			"The next item waits in the line",
		"Get: b, and ShutDownWithDrain returns": "the belief that all is processed when nothing is left in the line. " +
			"A worker has only begun",
		"Done b; a minute later ShutDownWithDrain returns": looking,
		"Done b": "the belief that who waits sees what changes. It looks at nothing until somebody wakes it",
	})
	play(t, "Add a; Get: a; ShutDownWithDrain: waits; Add b; Len: 0; Done a, and ShutDownWithDrain returns", clues{
		"Len: 1": "the belief that a queue is drained first and shut down then. While more comes, that does not end",
	})
	play(t, "ShutDownWithDrain; ShuttingDown: true; Get: shutdown", nil)
	play(t, "Get: waits; Get: waits; ShutDownWithDrain, and Get returns shutdown, and Get returns shutdown", nil)
	play(t, "Add a; Get: a; Add a; ShutDownWithDrain: waits; Add a; Done a; Get: a; "+
		"Done a, and ShutDownWithDrain returns", clues{
		"Done a, and ShutDownWithDrain returns": lineClosed,
	})
	play(t, "Add a; ShutDownWithDrain: waits; Get: a; Done a, and ShutDownWithDrain returns", nil)
	play(t, "Add a b; Get: a; Get: b; ShutDownWithDrain: waits; Done b; Done a, and ShutDownWithDrain returns", nil)
	play(t, "Add a b; Get: a; ShutDownWithDrain: waits; ShutDown, and ShutDownWithDrain returns; "+
		"Get: b; Get: shutdown", clues{
		"Get: shutdown": emptyAtTheEnd,
	})
	play(t, "Add a; Get: a; ShutDownWithDrain: waits; ShutDownWithDrain: waits; "+
		"Done a, and ShutDownWithDrain returns, and ShutDownWithDrain returns", clues{
		"Done a, and ShutDownWithDrain returns": oneIsAll,
	})
}

// All ways to make five calls about two items, of which a is added first.
func TestEveryHistory(t *testing.T) {
	exercise.Attempted(t)
	calls := []string{"Add a", "Add b", "Get", "Done a", "Done b", "ShutDown", "ShutDownWithDrain"}
	histories := [][]string{nil}
	for at := 0; at < len(histories); at++ {
		made := histories[at]
		m := newModel()
		var story []string
		for _, call := range made {
			story = append(story, m.step(call))
		}
		for _, call := range calls {
			if len(made) < 5 && m.can(call) && (call != "Add b" || slices.Contains(made, "Add a")) {
				histories = append(histories, append(slices.Clone(made), call))
			}
		}
		story = append(story, fmt.Sprint("Len: ", len(m.line)), fmt.Sprint("ShuttingDown: ", m.closed))
		for len(m.line) > 0 {
			story = append(story, m.step("Get"))
		}
		play(t, strings.Join(story, "; "), nil)
	}
}

// Two calls that nothing orders, for every two methods. It is the race detector that has something to say.
func TestCallsAtOnce(t *testing.T) {
	exercise.Attempted(t)
	oneAtATime(t)
	calls := []string{"Add c", "Len", "Get", "Done a", "ShutDown", "ShutDownWithDrain", "ShuttingDown"}
	for _, one := range calls {
		for _, other := range calls {
			ends := strings.HasPrefix(one, "ShutDown") && strings.HasPrefix(other, "ShutDown")
			if ends && one != other || one == "Done a" && other == one {
				continue // there is no drain after ShutDown, and one Done for a Get
			}
			played(t, func(s *scene) {
				s.step("Add a b d")
				s.step("Get")
				s.call(one)
				s.call(other)
				s.settle()
			})
		}
	}
}

// Whoever processes an item looks at its version, as at an object in a cache: at the end it has seen the last one.
func TestManyWorkers(t *testing.T) {
	exercise.Attempted(t)
	const producers, workers, items, adds = 4, 8, 5, 2000
	var versions, seen, busy [items]atomic.Int64
	var together atomic.Int64 // how often an item was with two workers
	drained := false
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
				}
			}()
		}
		synctest.Wait()
		go func() { q.ShutDownWithDrain(); drained = true }()
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
			Expected: fmt.Sprintf("%sthe worker that gets item %d last does so after the last Add, and sees version "+
				"%d", story, item, versions[item].Load()),
			Happened: fmt.Sprintf("it was version %d", seen[item].Load()),
		})
	}
	exercise.Expect(t, drained, exercise.Verdict{
		Expected: story + "then ShutDownWithDrain returns",
		Happened: "it waited",
	})
}

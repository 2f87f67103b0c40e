package dedup_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/client-go/tools/cache"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/2-dedup"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestAllDeltasStay(t *testing.T) {
	exercise.Attempted(t, hangs)
	play(t, clues{
		"a: Updated v3, Updated v4": "the belief that only the last two deltas of a key are kept. " +
			"The last two are looked at, to see whether both are deletions",
		"a: Added v1, Updated v2, Updated v3, Updated v4; no deltas; no deltas; no deltas": "the belief that each " +
			"delta has a place in the queue. The key has one, and all of them are popped with it",
	}, "a: Added v1, Updated v2, Updated v3, Updated v4", "Add a v1", "Update a v2", "Update a v3", "Update a v4")
	play(t, clues{
		"a: Deleted v2": "the belief that a deletion is all that matters of what happened before. " +
			"Who counts what came and went, or cleans up after it, needs the rest",
	}, "a: Added v1, Updated v2, Deleted v2", "Add a v1", "Update a v2", "Delete a v2")
	const equal = "the belief that deltas that are equal say nothing. The queue does not compare objects: " +
		"that would cost more than it saves, and who processes them finds out"
	play(t, clues{"a: Updated v2": equal}, "a: Updated v2, Updated v2", "Update a v2", "Update a v2")
	play(t, clues{"a: Added v1": equal}, "a: Added v1, Added v1", "Add a v1", "Add a v1")
}

func TestTwoDeletionsInARow(t *testing.T) {
	exercise.Attempted(t, hangs)
	const (
		newest = "the belief that the newer of two deletions knows more. " +
			"A tombstone knows that its object is gone, and guesses what it was in the end"
		both = "the belief that two deletions are two events. " +
			"A watch and a list have told of the same one, and a handler would hear it twice"
	)
	play(t, clues{"a: Deleted v2, Deleted †v1": both, "a: Deleted †v1": newest}, "a: Deleted v2",
		"Delete a v2", "Delete †a v1")
	play(t, nil, "a: Deleted v2", "Delete †a v1", "Delete a v2")
	play(t, nil, "a: Deleted v1", "Delete a v1", "Delete a v2")
	play(t, nil, "a: Deleted †v2", "Delete †a v1", "Delete †a v2")
	play(t, nil, "a: Added v1, Deleted †nil", "Add a v1", "Delete †a nil")
	play(t, nil, "a: Deleted v1, Added v2, Deleted v2", "Delete a v1", "Add a v2", "Delete a v2")
}

func TestSyncOnlyWhereNothingWaits(t *testing.T) {
	exercise.Attempted(t, hangs)
	const stale = "the belief that a Sync is a delta like others. It brings what the consumer has, " +
		"which is older than what waits: a deleted object would come back"
	play(t, nil, "a: Sync v1; b: Sync v1", "Sync a v1", "Sync b v1")
	play(t, clues{"a: Deleted v2, Sync v1": stale}, "a: Deleted v2", "Delete a v2", "Sync a v1")
	play(t, nil, "a: Updated v2", "Update a v2", "Sync a v1")
	play(t, nil, "a: Sync v1, Updated v2", "Sync a v1", "Sync a v1", "Update a v2", "Sync a v1")
	play(t, nil, "a: Added v1; a: Sync v1", "Add a v1", "Pop", "Sync a v1")
}

func TestKeysInOrder(t *testing.T) {
	exercise.Attempted(t, hangs)
	play(t, clues{
		"b: Added v1; a: Added v1, Updated v2": "the belief that a change gives a key a new place. " +
			"A key that changes all the time would never be processed",
	}, "a: Added v1, Updated v2; b: Added v1", "Add a v1", "Add b v1", "Update a v2")
	play(t, nil, `"": Added v1, Deleted †nil; a: Added v1`, `Add "" v1`, "Add a v1", `Delete †"" nil`)
	one, other := New(keyOf), New(keyOf)
	put(one, "Add a v1")
	put(other, "Delete a v2")
	got := append(rest(t, one, 2), rest(t, other, 2)...)
	exercise.Expect(t, slices.Equal(got, []string{"a: Added v1", "a: Deleted v2"}), exercise.Verdict{
		Expected: "a is added to one queue and deleted in another; from the one is popped a: Added v1, " +
			"and from the other a: Deleted v2",
		Happened: "it was " + strings.Join(got, "; "),
	})
	play(t, nil, "a: Deleted v1; b: Added v1; a: Deleted v2", "Delete a v1", "Pop", "Add b v1", "Delete a v2")
}

// All ways to call the methods four times, with a Pop wherever a key waits.
func TestEveryHistory(t *testing.T) {
	exercise.Attempted(t, hangs)
	calls := []string{"Add a", "Update a", "Delete a", "Delete †a", "Sync a", "Add b", "Pop"}
	histories := [][]string{nil}
	for at := 0; at < len(histories); at++ {
		h := histories[at]
		play(t, nil, expected(h), h...)
		for _, call := range calls {
			if call != "Pop" {
				call = fmt.Sprintf("%s v%d", call, len(h)+1)
			}
			if len(h) < 4 && (call != "Pop" || waits(h)) {
				histories = append(histories, append(slices.Clone(h), call))
			}
		}
	}
}

// waits says whether anything is left after these calls.
func waits(calls []string) bool {
	return expected(append(slices.Clone(calls), "Pop")) != expected(calls)+"!"
}

// expected is what is popped in a history, where a Pop of nothing is an exclamation mark.
func expected(calls []string) string {
	var keys, popped []string
	waiting := map[string][]string{} // of each key
	take := func() {
		popped = append(popped, keys[0]+": "+strings.Join(waiting[keys[0]], ", "))
		delete(waiting, keys[0])
		keys = keys[1:]
	}
	for _, call := range calls {
		method, what, _ := strings.Cut(call, " ")
		if method == "Pop" {
			if len(keys) == 0 {
				return strings.Join(popped, "; ") + "!"
			}
			take()
			continue
		}
		key, state, _ := strings.Cut(strings.TrimPrefix(what, "†"), " ")
		delta := map[string]string{"Add": "Added ", "Update": "Updated ", "Delete": "Deleted ", "Sync": "Sync "}[method]
		if strings.HasPrefix(what, "†") {
			delta += "†"
		}
		have := waiting[key]
		if len(have) == 0 {
			keys = append(keys, key)
		} else if method == "Sync" {
			continue
		} else if last := have[len(have)-1]; method == "Delete" && strings.HasPrefix(last, "Deleted ") {
			if !strings.Contains(last, "†") {
				continue
			}
			have = have[:len(have)-1]
		}
		waiting[key] = append(have, delta+state)
	}
	for len(keys) > 0 {
		take()
	}
	return strings.Join(popped, "; ")
}

func TestObjectsWithoutAKey(t *testing.T) {
	exercise.Attempted(t, hangs)
	q := New(keyOf)
	put(q, "Add a v1")
	for _, method := range []string{"Add", "Update", "Delete", "Sync"} {
		err := do(q, method+" none v1")
		exercise.Expect(t, errors.Is(err, errKey), exercise.Verdict{
			Expected: fmt.Sprintf("key returns the error %q, and so does %s", errKey, method),
			Happened: fmt.Sprintf("it returned %v", err),
		})
	}
	got := strings.Join(rest(t, q, 5), "; ")
	exercise.Expect(t, got == "a: Added v1", exercise.Verdict{
		Expected: "a is added, and four calls return errors; what is popped is a: Added v1",
		Happened: "it was " + orNothing(got),
	})
}

func TestPoppedDeltasBelongToProcess(t *testing.T) {
	exercise.Attempted(t, hangs)
	q := New(keyOf)
	kept := map[string]cache.Deltas{} // by key
	for _, n := range []int{1, 3, 40} {
		changed, keeps := fmt.Sprint("changed", n), fmt.Sprint("kept", n)
		for _, key := range []string{changed, keeps} {
			for i := range n {
				put(q, fmt.Sprintf("Update %s v%d", key, i))
			}
		}
		_ = q.Pop(func(deltas cache.Deltas) error {
			expectUpdates(t, "it is the next key that was queued", deltas, changed, n)
			mine := cache.Delta{Type: "Mine", Object: &object{"mine", "v0"}}
			for i := range deltas {
				deltas[i] = mine
			}
			for more := append(deltas, mine); len(more) < cap(deltas); {
				more = append(more, mine)
			}
			return nil
		})
		_ = q.Pop(func(deltas cache.Deltas) error {
			expectUpdates(t, "process changes and appends to a slice that it gets, and then gets the next one",
				deltas, keeps, n)
			kept[keeps] = deltas
			return nil
		})
		put(q, "Update other v0", "Update "+keeps+" v0", "Update "+changed+" v0")
		rest(t, q, 3)
		expectUpdates(t, "process keeps a slice of deltas, while others are queued and popped", kept[keeps], keeps, n)
	}
	for _, n := range []int{1, 3, 40} {
		keeps := fmt.Sprint("kept", n)
		expectUpdates(t, "process keeps a slice of deltas, while others are queued and popped", kept[keeps], keeps, n)
	}
}

func TestAppendsDoNotMeet(t *testing.T) {
	exercise.Attempted(t, hangs)
	q := New(keyOf)
	sizes := []int{33, 1, 3, 17, 1, 40, 2} // some fill an array, and some leave room in it
	var want []string
	for i, n := range sizes {
		want = append(want, "")
		for d := range n {
			put(q, fmt.Sprintf("Update k%d v%d", i, d))
			want[i] += fmt.Sprintf(" v%d", d)
		}
	}
	kept := make([]cache.Deltas, len(sizes))
	for i := range sizes {
		_ = q.Pop(func(deltas cache.Deltas) error { kept[i] = deltas; return nil })
		for k := i; k >= 0; k-- { // the new one, and then the older ones
			own := fmt.Sprintf("k%d-after-%d", k, i)
			kept[k] = append(kept[k], cache.Delta{Type: cache.Updated, Object: &object{"own", own}})
			want[k] += " " + own
		}
		for k := range i + 1 {
			got := ""
			for _, d := range kept[k] {
				got += " " + d.Object.(*object).state
			}
			exercise.Expect(t, got == want[k], exercise.Verdict{
				Expected: fmt.Sprintf("keys with %v deltas are popped in turn; what process gets is kept, and after "+
					"each Pop something is appended to every slice so far: that of k%d has%s", sizes, k, want[k]),
				Happened: "it has" + got,
				PointsTo: "the belief that a part of an array ends where its length ends. " +
					"append writes up to the capacity, and what is there may be somebody else's",
			})
		}
	}
}

// expectUpdates expects the slice to have what n calls of Update have queued.
func expectUpdates(t *testing.T, story string, deltas cache.Deltas, key string, n int) {
	t.Helper()
	happened := ""
	for i, d := range deltas {
		if got, want := tell(cache.Deltas{d}), fmt.Sprintf("%s: Updated v%d", key, i); got != want {
			happened = fmt.Sprintf("number %d of %d is %s", i, len(deltas), got)
			break
		}
	}
	if len(deltas) != n {
		happened = fmt.Sprintf("there are %d", len(deltas))
	}
	exercise.Expect(t, happened == "", exercise.Verdict{
		Expected: fmt.Sprintf("%s: in it are all deltas of %s, Updated v0 and so on, %d in number", story, key, n),
		Happened: happened,
	})
}

func TestProcessThatFails(t *testing.T) {
	exercise.Attempted(t, hangs)
	q, errFailed := New(keyOf), errors.New("the store is full")
	put(q, "Add a v1", "Add b v1")
	here, there := goroutine(), ""
	err := q.Pop(func(cache.Deltas) error { there = goroutine(); return errFailed })
	exercise.Expect(t, here == there, exercise.Verdict{
		Expected: fmt.Sprintf("Pop is called in %s, and calls process there", here),
		Happened: "it was called in " + there,
	})
	exercise.Expect(t, errors.Is(err, errFailed), exercise.Verdict{
		Expected: fmt.Sprintf("process returns the error %q, and errors.Is finds it in what Pop returns", errFailed),
		Happened: fmt.Sprintf("it returned %v", err),
	})
	got := strings.Join(rest(t, q, 3), "; ")
	about := ""
	if got == "b: Added v1; a: Added v1" || got == "a: Added v1; b: Added v1" {
		about = "the belief that the queue tries again. What failed once is out of it; " +
			"who wants it again has to remember its key"
	}
	exercise.Expect(t, got == "b: Added v1", exercise.Verdict{
		Expected: "a and b are queued, and process fails for a; what is popped after that is b: Added v1",
		Happened: "it was " + orNothing(got),
		PointsTo: about,
	})
}

func TestProcessAndQueueChangeTogether(t *testing.T) {
	exercise.Attempted(t, hangs)
	oneAtATime(t)
	q := New(keyOf)
	put(q, "Add a v1", "Add y v1", "Delete z v1")
	calls := []string{"Add b v1", "Update a v2", "Delete c v1", "Sync d v1", "Sync y v2", "Delete z v2"}
	var returned [6]atomic.Bool
	var second atomic.Bool
	var early []string
	var all sync.WaitGroup
	_ = q.Pop(func(cache.Deltas) error {
		for i, call := range calls {
			all.Go(func() { put(q, call); returned[i].Store(true) })
		}
		all.Go(func() { _ = q.Pop(func(cache.Deltas) error { second.Store(true); return nil }) })
		all.Go(q.Close) // may wait, or not
		settle()
		for i, call := range calls {
			if returned[i].Load() {
				early = append(early, call+" returned")
			}
		}
		if second.Load() {
			early = append(early, "another Pop called its process")
		}
		return nil
	})
	all.Wait()
	about := ""
	if len(early) == len(calls)+1 {
		about = "the belief that what was popped is out of the way. It is neither in the queue nor in the store: " +
			"a list that arrives just then finds no trace of it, and no deletion is reported"
	}
	exercise.Expect(t, len(early) == 0, exercise.Verdict{
		Expected: "a, y: Added and z: Deleted are queued; while process of a runs, Close may return, and " +
			"none of " + told(calls) + " returns, and no process of another Pop is called",
		Happened: strings.Join(early, "; "),
		PointsTo: about,
	})
}

func TestProcessGetsAllThatIsThere(t *testing.T) {
	exercise.Attempted(t, hangs)
	oneAtATime(t)
	q := New(keyOf)
	put(q, "Add a v1", "Add b v1")
	var all sync.WaitGroup
	var updated atomic.Bool
	got, before := "", false
	_ = q.Pop(func(cache.Deltas) error {
		all.Go(func() { put(q, "Update b v2"); updated.Store(true) })
		settle()
		all.Go(func() {
			_ = q.Pop(func(deltas cache.Deltas) error {
				settle() // who is about to return does so
				got, before = tell(deltas), updated.Load()
				return nil
			})
		})
		settle()
		return nil
	})
	all.Wait()
	const both = "b: Added v1, Updated v2"
	exercise.Expect(t, got == both || got == "b: Added v1" && !before, exercise.Verdict{
		Expected: "a and b are queued; while process of a runs, Update b v2 and another Pop are called; if Update " +
			"returns before process of b has, that one gets " + both,
		Happened: fmt.Sprintf("Update had returned (%t), and it got %s", before, got),
		PointsTo: "the belief that a Pop may choose its key before it is its turn. " +
			"What comes for the key in between is in neither the queue nor the slice",
	})
}

func TestWaitingPopIsInNobodysWay(t *testing.T) {
	exercise.Attempted(t, hangs)
	oneAtATime(t)
	q := New(keyOf)
	got, popped, added := "", make(chan struct{}), make(chan struct{})
	go func() {
		defer close(popped)
		_ = q.Pop(func(deltas cache.Deltas) error { got = tell(deltas); return nil })
	}()
	settle()
	go func() {
		defer close(added)
		put(q, "Add a v1")
	}()
	settle()
	select {
	case <-added:
	default:
		exercise.Fail(t, exercise.Verdict{
			Expected: "a Pop waits; Add returns",
			Happened: "it did not: both wait",
			PointsTo: "the belief that a lock may be held during a wait. " +
				"Whoever would end the wait needs the lock for that",
		})
	}
	<-popped
	exercise.Expect(t, got == "a: Added v1", exercise.Verdict{
		Expected: "a Pop waits, and then a is added: its process gets a: Added v1",
		Happened: "it got " + orNothing(got),
	})
}

func TestPopGoesOnAtThatMoment(t *testing.T) {
	exercise.Attempted(t, hangs)
	late, got, runs := time.Duration(0), "", uint64(0)
	exercise.Bubble(t, func(t *testing.T) {
		q, start, done := New(keyOf), time.Now(), make(chan struct{})
		const after = 121*time.Second + 1234567*time.Nanosecond // no number of milliseconds
		go func() {
			defer close(done)
			_ = q.Pop(func(deltas cache.Deltas) error {
				late, got = time.Since(start)-after, tell(deltas)
				return nil
			})
		}()
		time.Sleep(time.Second)
		runs = goroutineRuns()
		time.Sleep(after - time.Second)
		runs = goroutineRuns() - runs
		put(q, "Add a v1")
		<-done
	})
	const about = "the belief that to look often is to wait. It may be late each time, and costs something all the time"
	exercise.Expect(t, got == "a: Added v1", exercise.Verdict{
		Expected: "a Pop waits for two minutes, and then a is added: process is called with a: Added v1",
		Happened: "it got " + orNothing(got),
	})
	exercise.Expect(t, late == 0 && runs < 10, exercise.Verdict{
		Expected: "a Pop waits for two minutes, in which no goroutine has anything to do, and then a is added: " +
			"process is called at that moment",
		Happened: fmt.Sprintf("it was called %v later, and goroutines ran about %d times in the two minutes",
			late, runs*8),
		PointsTo: about,
	})
}

// waiting is some Pops that wait, in a bubble.
type waiting struct {
	fails  error
	mu     sync.Mutex
	popped []string
	errs   []error
}

// wait starts them, and returns when they wait. Their processes return that error.
func wait(q *Queue, n int, fails error) *waiting {
	w := &waiting{fails: fails}
	for range n {
		w.pop(q)
	}
	time.Sleep(time.Second)
	return w
}

// pop starts another one.
func (w *waiting) pop(q *Queue) {
	go func() {
		got := ""
		err := q.Pop(func(deltas cache.Deltas) error { got += tell(deltas); return w.fails })
		w.mu.Lock()
		defer w.mu.Unlock()
		w.popped, w.errs = append(w.popped, got), append(w.errs, err)
	}()
}

// now is what has been popped when nothing goes on any more.
func (w *waiting) now() ([]string, []error) {
	time.Sleep(time.Second)
	w.mu.Lock()
	defer w.mu.Unlock()
	slices.Sort(w.popped)
	return slices.Clone(w.popped), slices.Clone(w.errs)
}

func TestEachWaitingPopGetsAKey(t *testing.T) {
	exercise.Attempted(t, hangs)
	fourWait(t, nil, "the belief that who waits has to be woken when the queue is no longer empty. "+
		"Two keys may come before the first who was woken runs")
	fourWait(t, errors.New("the store is full"), "the belief that who fails has nothing left to do. "+
		"The next one waits to be woken, also after an error")
}

// fourWait has three keys come while four Pops wait, whose processes return that error.
func fourWait(t *testing.T, fails error, belief string) {
	process := "process returns nil"
	if fails != nil {
		process = fmt.Sprintf("process returns the error %q", fails)
	}
	oneAtATime(t)
	exercise.Bubble(t, func(bubble *testing.T) {
		q := New(keyOf)
		w := wait(q, 4, fails)
		put(q, "Add a v1", "Add b v1", "Add c v1")
		popped, _ := w.now()
		if want := []string{"a: Added v1", "b: Added v1", "c: Added v1"}; !slices.Equal(popped, want) {
			about := ""
			if len(popped) == 1 && popped[0] == want[0] {
				about = belief
			}
			exercise.Report(t, exercise.Verdict{
				Expected: fmt.Sprintf("four Pops wait, and each time %s; "+
					"a, b and c are added; then three Pops have popped %s", process, strings.Join(want, "; ")),
				Happened: fmt.Sprintf("%d had popped %s", len(popped), orNothing(strings.Join(popped, "; "))),
				PointsTo: about,
			})
		}
		put(q, "Add d v1") // for the fourth
		w.now()
		q.Close() // wakes whoever still waits
	})
}

func TestPopThatComesTooLate(t *testing.T) {
	exercise.Attempted(t, hangs)
	oneAtATime(t)
	exercise.Bubble(t, func(bubble *testing.T) {
		q := New(keyOf)
		w := wait(q, 1, nil)
		put(q, "Add a v1") // whoever waits has been woken, and does not run before the other one
		w.pop(q)
		first, errs := w.now()
		good := slices.Equal(first, []string{"a: Added v1"}) && errs[0] == nil
		about := ""
		if len(errs) == 2 {
			about = "the belief that who is woken finds what there was. " +
				"The lock was free in between, and somebody else may have come first"
		}
		put(q, "Add b v1")
		both, errs := w.now()
		if !good || !slices.Equal(both, []string{"a: Added v1", "b: Added v1"}) || errs[1] != nil {
			exercise.Report(t, exercise.Verdict{
				Expected: "a Pop waits; a is added, and another Pop is called: one of the two pops a: Added v1 and " +
					"the other one waits; then b is added, and it pops b: Added v1",
				Happened: fmt.Sprintf("%d had returned, having popped %q, before b was added; in the end they had "+
					"popped %q, and the errors were %v", len(first), first, both, errs),
				PointsTo: about,
			})
		}
		q.Close() // wakes whoever still waits
	})
}

func TestCloseWakesAll(t *testing.T) {
	exercise.Attempted(t, hangs)
	exercise.Bubble(t, func(bubble *testing.T) {
		q := New(keyOf)
		w := wait(q, 3, nil)
		q.Close()
		popped, errs := w.now()
		good := len(errs) == 3 && strings.Join(popped, "") == ""
		for _, err := range errs {
			good = good && err == cache.ErrFIFOClosed
		}
		if !good {
			about := ""
			if len(popped) == 0 {
				about = "the belief that who waits notices the end. " +
					"A Pop that waits looks at nothing until somebody wakes it"
			}
			exercise.Report(t, exercise.Verdict{
				Expected: "three Pops wait, and Close is called: all three return cache.ErrFIFOClosed",
				Happened: fmt.Sprintf("%d returned: the errors were %v, and process got %q", len(errs), errs, popped),
				PointsTo: about,
			})
		}
		put(q, "Add a v1", "Add b v1", "Add c v1") // wakes whoever still waits
		w.now()
	})
}

func TestClosedQueueCanBePopped(t *testing.T) {
	exercise.Attempted(t, hangs)
	exercise.Bubble(t, func(bubble *testing.T) {
		q := New(keyOf)
		put(q, "Add a v1", "Add b v1")
		q.Close()
		var got []string
		next := func() {
			popped := ""
			err := q.Pop(func(deltas cache.Deltas) error { popped = tell(deltas); return nil })
			switch {
			case err == cache.ErrFIFOClosed:
				got = append(got, popped+"closed")
			case err != nil:
				got = append(got, popped+err.Error())
			default:
				got = append(got, popped)
			}
		}
		next()
		next()
		next()
		put(q, "Add c v1")
		next()
		next()
		about := ""
		if got[0] == "closed" {
			about = "the belief that a queue that is closed is empty. " +
				"Whoever closed it wants no more to come, and what has happened has happened"
		}
		exercise.Expect(t, slices.Equal(got, []string{"a: Added v1", "b: Added v1", "closed", "c: Added v1", "closed"}),
			exercise.Verdict{
				Expected: "a and b are queued and then Close is called; five Pops, before the fourth of which c is " +
					"added, give a: Added v1; b: Added v1; closed; c: Added v1; closed",
				Happened: "they gave " + strings.Join(got, "; "),
				PointsTo: about,
			})
	})
}

func TestWaitingPopTakesWhatCameBeforeClose(t *testing.T) {
	exercise.Attempted(t, hangs)
	oneAtATime(t)
	for range 20 {
		exercise.Bubble(t, func(bubble *testing.T) {
			q := New(keyOf)
			w := wait(q, 1, nil)
			put(q, "Add a v1") // whoever waits has been woken, and does not run before Close
			q.Close()
			popped, errs := w.now()
			if slices.Equal(popped, []string{"a: Added v1"}) && errs[0] == nil {
				return
			}
			about := ""
			if len(errs) == 1 && errs[0] == cache.ErrFIFOClosed && popped[0] == "" {
				about = "the belief that a queue that is closed is empty. " +
					"Between being woken and going on a lot happens: look for a key first, each time"
			}
			exercise.Report(t, exercise.Verdict{
				Expected: "a Pop waits; a is added and then Close is called: the Pop pops a: Added v1",
				Happened: fmt.Sprintf("%d returned: process got %q, and the errors were %v", len(errs), popped, errs),
				PointsTo: about,
			})
			put(q, "Add b v1") // wakes whoever still waits
			w.now()
		})
		if t.Failed() {
			return
		}
	}
}

func TestManyGoroutines(t *testing.T) {
	exercise.Attempted(t, hangs)
	const producers, keys, deltas = 4, 3, 200
	q := New(keyOf)
	got := map[string][]string{} // by key: written by process, one at a time
	var writing, reading sync.WaitGroup
	for range 3 {
		reading.Go(func() {
			for q.Pop(func(deltas cache.Deltas) error {
				for _, d := range deltas {
					o := d.Object.(*object)
					got[o.key] = append(got[o.key], o.state)
				}
				return nil
			}) == nil {
			}
		})
	}
	var want []string
	for n := range deltas {
		want = append(want, fmt.Sprint("v", n))
	}
	for p := range producers {
		writing.Go(func() {
			for n := range deltas {
				for k := range keys {
					put(q, fmt.Sprintf("Update k%d-%d v%d", p, k, n))
				}
			}
		})
	}
	writing.Wait()
	q.Close()
	reading.Wait()
	for p := range producers {
		for k := range keys {
			key := fmt.Sprintf("k%d-%d", p, k)
			exercise.Expect(t, slices.Equal(got[key], want), exercise.Verdict{
				Expected: fmt.Sprintf("%d goroutines update keys of their own, three pop; all %d deltas of %s are "+
					"popped in order", producers, deltas, key),
				Happened: fmt.Sprintf("%d were, and not all in order", len(got[key])),
			})
		}
	}
}

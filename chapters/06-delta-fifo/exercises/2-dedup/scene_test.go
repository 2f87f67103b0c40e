package dedup_test

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/tools/cache"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/2-dedup"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// hangs is what a hang means in these tests, which pop where something is queued or nobody has to wait.
var hangs = exercise.HangMeans("a Pop that waits while a key does, or that nobody wakes; a lock that is held " +
	"while Pop waits; or a loop that looks again and again")

// object is what the deltas are about.
type object struct{ key, state string }

// at is a new object, "a v1", or a tombstone, "†a v1". The tombstone "†a nil" has no object.
// The key of `"" v1` is empty.
func at(what string) any {
	what, tombstone := strings.CutPrefix(what, "†")
	key, state, _ := strings.Cut(what, " ")
	key = strings.Trim(key, `"`)
	if tombstone && state == "nil" {
		return cache.DeletedFinalStateUnknown{Key: key}
	}
	if tombstone {
		return cache.DeletedFinalStateUnknown{Key: key, Obj: &object{key, state}}
	}
	return &object{key, state}
}

var errKey = errors.New("the object has no key")

// keyOf does not take tombstones, nor an object whose key is "none".
func keyOf(obj any) (string, error) {
	if o, ok := obj.(*object); ok && o.key != "none" {
		return o.key, nil
	}
	return "", errKey
}

// do calls a method: "Add a v1", "Update a v2", "Delete a v2", "Delete †a v2", "Sync a v2".
func do(q *Queue, call string) error {
	method, what, _ := strings.Cut(call, " ")
	methods := map[string]func(any) error{"Add": q.Add, "Update": q.Update, "Delete": q.Delete, "Sync": q.Sync}
	return methods[method](at(what))
}

// put calls methods of which none returns an error.
func put(q *Queue, calls ...string) {
	for _, call := range calls {
		_ = do(q, call)
	}
}

// pop is one Pop. It returns what process got, written as "a: Added v1, Deleted †v2".
func pop(t *testing.T, q *Queue) string {
	t.Helper()
	var got []string
	err := q.Pop(func(deltas cache.Deltas) error { got = append(got, tell(deltas)); return nil })
	exercise.Expect(t, err == nil && len(got) == 1, exercise.Verdict{
		Expected: "something is queued; Pop calls process once, which returns nil, and so does Pop",
		Happened: fmt.Sprintf("it called process %d times and returned %v", len(got), err),
	})
	return got[0]
}

// goroutine is the number of the one that calls it: "goroutine 7".
func goroutine() string {
	buf := make([]byte, 64)
	text, _, _ := strings.Cut(string(buf[:runtime.Stack(buf, false)]), " [")
	return text
}

// tell writes down what was popped.
func tell(deltas cache.Deltas) string {
	var keys, out []string
	for _, d := range deltas {
		obj, mark := d.Object, ""
		if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
			obj, mark = tombstone.Obj, "†"
			if obj == nil {
				obj = &object{tombstone.Key, "nil"}
			}
		}
		o, ok := obj.(*object)
		if !ok {
			o = &object{"?", fmt.Sprint(d.Object)}
		}
		keys = append(keys, cmp.Or(o.key, `""`))
		out = append(out, fmt.Sprintf("%s %s%s", d.Type, mark, o.state))
	}
	if len(out) == 0 {
		return "no deltas"
	}
	slices.Sort(keys)
	return strings.Join(slices.Compact(keys), " and ") + ": " + strings.Join(out, ", ")
}

// clues tells which belief it points to when this was popped.
type clues map[string]string

// play calls the methods of a new queue, where "Pop" may stand between them, and then pops the rest. It compares what
// was popped, with a semicolon between two Pops.
func play(t *testing.T, about clues, want string, calls ...string) {
	t.Helper()
	q := New(keyOf)
	var popped []string
	for _, call := range calls {
		if call == "Pop" {
			popped = append(popped, pop(t, q))
			continue
		}
		if err := do(q, call); err != nil {
			note := ""
			if strings.Contains(call, "†") {
				note = " (the † is a tombstone)"
			}
			exercise.Fail(t, exercise.Verdict{
				Expected: fmt.Sprintf("%s%s: the key is known, and the last of these returns nil", told(calls), note),
				Happened: fmt.Sprintf("it returned %v", err),
			})
		}
	}
	popped = append(popped, rest(t, q, len(calls))...)
	got := strings.Join(popped, "; ")
	if got == want {
		return
	}
	exercise.Fail(t, exercise.Verdict{
		Expected: fmt.Sprintf("%s, and then Pop until nothing is left: what is popped is %s",
			told(calls), orNothing(want)),
		Happened: fmt.Sprintf("it was %s", orNothing(got)),
		PointsTo: about[got],
	})
}

func told(calls []string) string { return strings.Join(calls, ", ") }

func orNothing(popped string) string {
	if popped == "" {
		return "nothing"
	}
	return popped
}

// rest pops all that is left of at most n keys, without waiting: a key of its own is the last.
func rest(t *testing.T, q *Queue, n int) (popped []string) {
	t.Helper()
	put(q, "Add end v0")
	for range n + 1 {
		got := pop(t, q)
		if strings.HasPrefix(got, "end:") {
			return popped
		}
		popped = append(popped, got)
	}
	return append(popped, "and more than there are")
}

// oneAtATime has one goroutine run until it waits, and then the next: who has to be woken is not up to chance.
func oneAtATime(t *testing.T) {
	n := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(n) })
}

// settle lets all other goroutines run until they wait. Only after oneAtATime.
func settle() {
	for range 100 {
		runtime.Gosched()
	}
}

// goroutineRuns is how often a goroutine began to run: the runtime counts each eighth time.
func goroutineRuns() (n uint64) {
	sample := []metrics.Sample{{Name: "/sched/latencies:seconds"}}
	metrics.Read(sample)
	for _, count := range sample[0].Value.Float64Histogram().Counts {
		n += count
	}
	return n
}

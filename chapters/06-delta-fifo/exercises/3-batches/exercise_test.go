package batches_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/3-batches"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The next tests close a queue before they look at its batches.
func TestAClosedQueueGivesWhatIsLeft(t *testing.T) {
	exercise.Attempted(t)
	var got []string
	exercise.Bubble(t, func(*testing.T) {
		q := New(2)
		q.Add(Delta{Added, "a", 1})
		q.Close()
		got = append(got, drained(q))
		q.Add(Delta{Added, "b", 2})
		got = append(got, drained(q), drained(q))
	})
	want, about := []string{"[+a1]" + end, "[+b2]" + end, "none" + end}, ""
	if got[0] == "none"+end {
		about = "the belief that a queue which is closed is empty: what was in it happened, and nobody tells it again"
	}
	exercise.Expect(t, slices.Equal(got, want), exercise.Verdict{
		Expected: fmt.Sprintf("+a1 and Close, then all batches, +b2 and all batches, and once more: %q", want),
		Happened: fmt.Sprintf("it was %q", got),
		PointsTo: about,
	})
}

func TestAKeyIsInABatchOnce(t *testing.T) {
	exercise.Attempted(t)
	const (
		merged = "the belief that only the last state of an object counts. " +
			"One that was deleted and made again between two batches would never be deleted"
		together = "the belief that a batch is whatever waits. Who processes it looks up the old object of each key " +
			"once, and of two deltas the second would be compared with what was there before the first"
		passed = "the belief that order counts for each key alone. +c went ahead of ~a, which was there before it: " +
			"whoever reads the queue sees a state that the server never had"
	)
	comesOut(t, 10, "~a ~b ~a +c", "[~a1 ~b2] [~a3 +c4]", clues{
		"[~a3 ~b2 +c4]":       merged,
		"[~b2 ~a3 +c4]":       merged,
		"[~a1 ~b2 ~a3 +c4]":   together,
		"[~a1 ~b2 +c4] [~a3]": passed,
	})
	comesOut(t, 10, "+a -a +a ~b", "[+a1] [-a2] [+a3 ~b4]", nil)
	comesOut(t, 10, "+ ~b ~", "[+1 ~b2] [~3]", nil)
}

func TestWhatIsAboutAllObjectsIsABatchOfItsOwn(t *testing.T) {
	exercise.Attempted(t)
	const across = "the belief that another key is all that a batch needs. A list replaces all objects, whatever " +
		"their keys: it is not processed in one go with what came before it or comes after it"
	comesOut(t, 10, "LIST +a ~b LIST ~c -d", "[LIST1] [+a2 ~b3] [LIST4] [~c5 -d6]", clues{
		"[LIST1 +a2 ~b3 LIST4 ~c5 -d6]":   across,
		"[LIST1 +a2 ~b3] [LIST4 ~c5 -d6]": across,
		"[LIST1] [+a2 ~b3 LIST4 ~c5 -d6]": across,
	})
	comesOut(t, 10, "LIST SYNC MARK LIST", "[LIST1] [SYNC2] [MARK3] [LIST4]", nil)
	comesOut(t, 10, "+a SYNC ~b MARK -c MARK SYNC +d", "[+a1] [SYNC2] [~b3] [MARK4] [-c5] [MARK6] [SYNC7] [+d8]", nil)
	comesOut(t, 10, "+a LISTb ~b MARKb ~c SYNCd +d", "[+a1] [LISTb2] [~b3] [MARKb4] [~c5] [SYNCd6] [+d7]", nil)
}

func TestMost(t *testing.T) {
	exercise.Attempted(t)
	comesOut(t, 3, "+a +b +c +d +e +f +g", "[+a1 +b2 +c3] [+d4 +e5 +f6] [+g7]", clues{
		"[+a1 +b2 +c3 +d4 +e5 +f6 +g7]": "the belief that the longer a batch is, the better. " +
			"The store is locked while one is processed, and whoever reads waits for its end",
	})
	comesOut(t, 3, "+a +b +c ~a", "[+a1 +b2 +c3] [~a4]", nil)
	comesOut(t, 1, "+a LIST +b", "[+a1] [LIST2] [+b3]", nil)
}

func TestWaitsForAFirstDeltaOnly(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans("the belief that who waits notices by itself what has changed: "+
		"somebody has to wake it, when there is something and when there will be nothing more"))
	var got []string
	var err error
	exercise.Bubble(t, func(*testing.T) {
		q, ended := New(3), make(chan struct{})
		go func() {
			defer close(ended)
			for err == nil {
				err = q.PopBatch(func(batch []Delta) error { got = append(got, shown(batch)); return nil })
			}
		}()
		for _, d := range deltas("LIST +a +b") {
			synctest.Wait()
			got = append(got, "add")
			q.Add(d)
		}
		synctest.Wait()
		got = append(got, "close")
		q.Close()
		<-ended
	})
	about := ""
	switch order := strings.Join(got, " "); {
	case strings.HasPrefix(order, "add add add ["):
		about = "the belief that a batch is worth waiting for. Nobody knows when the next event comes: " +
			"in a quiet cluster the last ones would be seen hours later"
	case strings.HasPrefix(order, "add add add close ["):
		about = "the belief that to look from time to time is to wait. Who looks seldom is late, and who looks often " +
			"costs time of a processor when nothing happens, which is most of the time"
	}
	const want = "add [LIST1] add [+a2] add [+b3] close"
	exercise.Expect(t, strings.Join(got, " ") == want && errors.Is(err, ErrClosed), exercise.Verdict{
		Expected: "one goroutine pops, another adds three deltas and closes the queue, each when the first waits: " +
			want + ", and then ErrClosed",
		Happened: fmt.Sprintf("it was %s, and then %v", strings.Join(got, " "), err),
		PointsTo: about,
	})
}

// Nothing is asked before somebody looks: what was added has to be found without that. A queue that looks all the same
// is busy for as long as virtual time passes.
func TestWaitsWithoutLooking(t *testing.T) {
	exercise.Attempted(t)
	var late atomic.Bool
	limit := time.AfterFunc(time.Second, func() { late.Store(true) })
	defer limit.Stop()
	var got string
	passed := time.Duration(0)
	exercise.Bubble(t, func(*testing.T) {
		q, ended := New(3), make(chan struct{})
		go func() { defer close(ended); got = drained(q) }()
		for passed < century && !late.Load() {
			step := max(passed, time.Second)
			time.Sleep(step)
			passed += step
		}
		q.Add(Delta{Added, "a", 1})
		synctest.Wait()
		q.Close()
		<-ended
	})
	exercise.Expect(t, passed >= century, exercise.Verdict{
		Expected: "PopBatch waits at an empty queue for a hundred years of virtual time, in which nothing is to be " +
			"done: they are over at once",
		Happened: fmt.Sprintf("after a second of real time %v had passed: something was done again and again", passed),
		PointsTo: "the belief that it is safer to look now and then as well. An informer waits most of its life, and " +
			"a cluster has thousands of them: a wake-up that is never lost needs no second one",
	})
	exercise.Expect(t, got == "[+a1]"+end, exercise.Verdict{
		Expected: "PopBatch has waited for a hundred years, then come +a1 and Close: [+a1]" + end,
		Happened: "it was " + got,
	})
}

// There is one processor, so that who waits is woken by the Add and finds that the queue is closed by then.
func TestClosedWhileItWaited(t *testing.T) {
	exercise.Attempted(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for range 5 { // should the first of them be interrupted
		var got string
		exercise.Bubble(t, func(*testing.T) {
			q, ended := New(3), make(chan struct{})
			go func() { defer close(ended); got = drained(q) }()
			synctest.Wait()
			q.Add(Delta{Added, "a", 1})
			q.Close()
			<-ended
		})
		exercise.Expect(t, got == "[+a1]"+end, exercise.Verdict{
			Expected: "PopBatch waits, then come +a1 and Close: [+a1]" + end,
			Happened: "it was " + got,
		})
	}
}

func TestNobodyWaitsForProcess(t *testing.T) {
	exercise.Attempted(t)
	q := New(1)
	q.Add(Delta{Added, "a", 1})
	var stuck, kept string
	err := q.PopBatch(func(batch []Delta) error {
		switch {
		case !returns(func() { q.Add(Delta{Updated, "b", 2}) }):
			stuck = "Add"
		case !returns(func() { q.HasSynced() }):
			stuck = "HasSynced"
		case !returns(q.Close):
			stuck = "Close"
		}
		kept = shown(batch)
		return nil
	})
	exercise.Expect(t, stuck == "", exercise.Verdict{
		Expected: "process runs, and Add, HasSynced and Close return meanwhile",
		Happened: stuck + " had not returned when nothing was left to run but process",
		PointsTo: "the belief that a lock which guards a queue has to be held until its work is done. The Reflector " +
			"that reads the watch would stand still as long as the slowest handler does",
	})
	exercise.Expect(t, err == nil && kept == "[+a1]", exercise.Verdict{
		Expected: "a delta that is added while process runs leaves its batch alone, which is [+a1]",
		Happened: fmt.Sprintf("it was %s, and PopBatch returned the error %v", kept, err),
	})
	got := drained(q)
	exercise.Expect(t, got == "[~b2]"+end, exercise.Verdict{
		Expected: "a delta was added while process ran, and then the queue was closed: the next batch is [~b2]" + end,
		Happened: "it was " + got,
	})
}

func TestAQueueHasRoomForWhateverComes(t *testing.T) {
	exercise.Attempted(t)
	const many = 20_000
	q := New(1)
	q.Add(Delta{Added, "a", 1})
	var added atomic.Int64
	all := false
	_ = q.PopBatch(func([]Delta) error {
		all = returns(func() {
			for range many {
				q.Add(Delta{Updated, "a", 2})
				added.Add(1)
			}
		})
		return nil
	})
	exercise.Expect(t, all, exercise.Verdict{
		Expected: fmt.Sprintf("process runs, and %d calls of Add return meanwhile", many),
		Happened: fmt.Sprintf("%d of them had returned when nothing was left to run but process", added.Load()),
		PointsTo: "the belief that there is a number of deltas that is enough. The first list of a big cluster is " +
			"followed by as many events as there are until it was processed",
	})
}

// The same event may come twice in a row, and its Object be of a type that has no ==.
func TestNoDeltaIsComparedWithAnother(t *testing.T) {
	exercise.Attempted(t)
	plain, list := Delta{Updated, "a", 1}, Delta{Updated, "b", []int{1}}
	all := []Delta{plain, plain, list, list, {Deleted, "c", nil}, {Deleted, "c", nil}}
	var got []Delta
	exercise.Bubble(t, func(*testing.T) {
		q := New(10)
		for _, d := range all {
			q.Add(d)
		}
		q.Close()
		for range all {
			_ = q.PopBatch(func(batch []Delta) error { got = append(got, batch...); return nil })
		}
	})
	exercise.Expect(t, reflect.DeepEqual(got, all), exercise.Verdict{
		Expected: fmt.Sprintf("each delta was added twice: %v come out", all),
		Happened: fmt.Sprintf("%v came out", got),
	})
}

// A story of HasSynced: what is added before each PopBatch, and what HasSynced says after it was added, while process
// runs, and after PopBatch.
type story struct {
	add  []string
	want string
	err  error // of process
}

func TestHasSynced(t *testing.T) {
	exercise.Attempted(t)
	about := clues{
		"no yes yes": "the belief that the first list is seen when it is taken out of the queue. " +
			"Who waits for it would read a store that is still empty",
	}
	for _, s := range []story{
		{add: []string{"LIST"}, want: "no no yes"},
		{add: []string{"LIST"}, want: "no no yes", err: errors.New("process failed")},
		{add: []string{"LIST +a LIST", "+b", "", "+c"}, want: "no no yes, yes yes yes, yes yes yes, yes yes yes"},
		{add: []string{"+a", "LIST"}, want: "yes yes yes, yes yes yes"},
		{add: []string{"-a LIST"}, want: "yes yes yes"},
	} {
		var got string
		exercise.Bubble(t, func(*testing.T) { got = s.play() })
		exercise.Expect(t, got == s.want, exercise.Verdict{
			Expected: fmt.Sprintf("%q were added, each before a PopBatch whose process returned %v: HasSynced after Add, "+
				"in process and after PopBatch is %s", s.add, s.err, s.want),
			Happened: "it was " + got,
			PointsTo: about[got],
		})
	}
}

func TestAClosedQueueHasNotSeenAList(t *testing.T) {
	exercise.Attempted(t)
	var closed, popped, added bool
	exercise.Bubble(t, func(*testing.T) {
		q := New(1)
		q.Close()
		closed = q.HasSynced()
		_ = q.PopBatch(func([]Delta) error { return nil })
		popped = q.HasSynced()
		q.Add(Delta{Type: ReplacedAll, Object: 1})
		added = q.HasSynced()
	})
	exercise.Expect(t, !closed && !popped && !added, exercise.Verdict{
		Expected: "Close, a PopBatch that returns ErrClosed, and Add of a first list: HasSynced is false after each",
		Happened: fmt.Sprintf("it was %v, %v and %v", closed, popped, added),
	})
}

func TestAnEmptyListIsAList(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans("the belief that a list without objects brings nothing. It says that "+
		"there are none: whoever waits for the first list would wait until somebody makes an object"))
	for _, object := range []any{nil, []any{}, []string{}, []string(nil), map[string]any{}, ""} {
		list := Delta{Type: ReplacedAll, Object: object}
		var got []Delta
		var synced []string
		exercise.Bubble(t, func(*testing.T) {
			q := New(10)
			q.Add(list)
			synced = append(synced, yesOrNo(q.HasSynced()))
			_ = q.PopBatch(func(batch []Delta) error {
				got = slices.Clone(batch)
				synced = append(synced, yesOrNo(q.HasSynced()))
				return nil
			})
			synced = append(synced, yesOrNo(q.HasSynced()))
		})
		exercise.Expect(t, reflect.DeepEqual(got, []Delta{list}), exercise.Verdict{
			Expected: fmt.Sprintf("a ReplacedAll with the Object %#v is a batch", object),
			Happened: fmt.Sprintf("the batch was %+v", got),
		})
		exercise.Expect(t, slices.Equal(synced, []string{"no", "no", "yes"}), exercise.Verdict{
			Expected: fmt.Sprintf("the first delta is a ReplacedAll with the Object %#v: what HasSynced says after "+
				"Add, while process runs, and after PopBatch is [no no yes]", object),
			Happened: fmt.Sprintf("it was %v", synced),
		})
	}
}

func TestABatchHasLeftTheQueueAlsoWhenProcessFails(t *testing.T) {
	exercise.Attempted(t)
	failed := errors.New("failed")
	var got []string
	exercise.Bubble(t, func(*testing.T) {
		q := New(10)
		for _, d := range deltas("+a +b ~a LIST +c") {
			q.Add(d)
		}
		for range 4 {
			q.Add(Delta{Bookmark, "", 6}) // so that nobody waits
			err := q.PopBatch(func(batch []Delta) error {
				got = append(got, shown(batch))
				return failed
			})
			got = append(got, fmt.Sprint(err))
		}
	})
	const want = "[+a1 +b2] failed [~a3] failed [LIST4] failed [+c5] failed"
	about := ""
	if len(got) > 2 && got[2] == got[0] {
		about = "the belief that what failed is tried again by the queue. It does not know whether the batch was " +
			"processed in part, and everything behind it would wait: to try again is what a workqueue is for"
	}
	exercise.Expect(t, strings.Join(got, " ") == want, exercise.Verdict{
		Expected: "process fails each time: the batches and the errors of PopBatch are " + want,
		Happened: "they were " + strings.Join(got, " "),
		PointsTo: about,
	})
}

func TestTheSliceIsForProcess(t *testing.T) {
	exercise.Attempted(t)
	var got, kept []string
	synced := false
	exercise.Bubble(t, func(*testing.T) {
		q, all := New(2), [][]Delta(nil)
		for _, d := range deltas("LIST +a +b ~a ~b") {
			q.Add(d)
		}
		for round := range 3 {
			mine := Delta{Deleted, "mine", round}
			err := q.PopBatch(func(batch []Delta) error {
				got, all = append(got, shown(batch)), append(all, batch)
				for i := range batch {
					batch[i] = mine
				}
				_ = append(batch, mine, mine, mine)
				return nil
			})
			if err != nil {
				got = append(got, err.Error())
			}
			q.Add(Delta{Added, "late", 6})
		}
		for _, batch := range all {
			kept = append(kept, shown(batch))
		}
		synced = q.HasSynced()
	})
	const want, want2 = "[LIST1] [+a2 +b3] [~a4 ~b5]", "[-mine0] [-mine1 -mine1] [-mine2 -mine2]"
	exercise.Expect(t, strings.Join(got, " ") == want, exercise.Verdict{
		Expected: "process overwrites its slice and appends to it: the batches are " + want,
		Happened: "they were " + strings.Join(got, " "),
		PointsTo: "the belief that a part of a slice is a slice of its own: who appends to it writes over what comes " +
			"behind it",
	})
	exercise.Expect(t, strings.Join(kept, " ") == want2, exercise.Verdict{
		Expected: "process kept its slices, and they hold what it wrote into them: " + want2,
		Happened: "three batches and three Adds later they held " + strings.Join(kept, " "),
		PointsTo: "the belief that a slice is free again when the function that it was given to has returned",
	})
	exercise.Expect(t, synced, exercise.Verdict{
		Expected: "process overwrote the first list in its slice: HasSynced is true",
		Happened: "it was false",
	})
}

// Each delta is added when the one before it is being processed: about when PopBatch looks whether there is another.
func TestNoWakeUpIsLost(t *testing.T) {
	exercise.Attempted(t)
	over, stop := patient(500 * time.Millisecond)
	defer stop()
	for !over.Load() {
		lost := ""
		exercise.Bubble(t, func(*testing.T) { lost = pingPong(20_000, over) })
		exercise.Expect(t, lost == "", exercise.Verdict{
			Expected: "deltas are added one by one, and then the queue is closed: " +
				"PopBatch gives each delta, and then returns ErrClosed",
			Happened: lost + ", and PopBatch waited for ever",
			PointsTo: notYet,
		})
	}
}

const notYet = "the belief that who does not wait yet need not be woken. It has looked, found nothing, and is about " +
	"to wait: whatever is added in between has to be noticed, too"

func TestManyAddAtOnce(t *testing.T) {
	exercise.Attempted(t)
	const writers, each = 4, 100
	var next [writers]int // the Object of each writer's next delta
	wrong := ""
	exercise.Bubble(t, func(*testing.T) {
		q, ended := New(7), make(chan struct{})
		go func() {
			defer close(ended)
			for q.PopBatch(func(batch []Delta) error {
				for _, d := range batch {
					writer := int(d.Key[0] - '0')
					if d.Object != next[writer] && wrong == "" {
						wrong = fmt.Sprintf("; %v of writer %d came before %d", d.Object, writer, next[writer])
					}
					next[writer]++
				}
				return nil
			}) == nil {
			}
		}()
		var adding sync.WaitGroup
		adding.Go(func() {
			for range each { // and nothing else, so that nothing else comes between it and a race
				q.HasSynced()
			}
		})
		for writer := range writers {
			adding.Go(func() {
				for n := range each {
					q.Add(Delta{Added, fmt.Sprintf("%d/%d", writer, n%5), n})
					q.HasSynced()
				}
			})
		}
		adding.Wait()
		q.Close()
		<-ended
	})
	exercise.Expect(t, wrong == "" && next == [writers]int{each, each, each, each}, exercise.Verdict{
		Expected: "four goroutines add 100 deltas each, one asks HasSynced and one pops: those of each writer " +
			"come out in its order",
		Happened: fmt.Sprintf("%v of them came out%s", next, wrong),
	})
}

// Random scripts, with pops between the adds, against what the assignment says in the fewest words: while the next one
// fits, the batch has it. At the end the batches are looked at again.
func TestRandomScripts(t *testing.T) {
	exercise.Attempted(t)
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 6))
		m := model{most: 1 + random.IntN(5)}
		var should, is, was, changed string
		exercise.Bubble(t, func(*testing.T) {
			should, is = m.play(New(m.most), random)
			was, changed = m.changed()
		})
		exercise.Expect(t, is == "", exercise.Verdict{Expected: should, Happened: is})
		exercise.Expect(t, changed == "", exercise.Verdict{
			Expected: fmt.Sprintf("a batch has at most %d, and process kept each: %s", m.most, was),
			Happened: changed,
			PointsTo: "the belief that a batch of one delta needs no array of its own. Who keeps it finds " +
				"a later one in it",
		})
	}
}

// What two queues have in common, two goroutines have without a lock.
func TestQueuesShareNothing(t *testing.T) {
	exercise.Attempted(t)
	const script, want = "LIST +a +b ~a +c LIST ~c", "[LIST1] [+a2 +b3] [~a4 +c5] [LIST6] [~c7]"
	var got [2]string
	exercise.Bubble(t, func(*testing.T) {
		var both sync.WaitGroup
		for n := range got {
			both.Go(func() { got[n] = repeated(300, script, want) })
		}
		both.Wait()
	})
	exercise.Expect(t, got == [2]string{want, want}, exercise.Verdict{
		Expected: "two goroutines pop a queue of their own each, and both get the batches " + want,
		Happened: fmt.Sprintf("they were %q", got),
	})
}

// As in TestNoWakeUpIsLost, and what comes is the end.
func TestCloseWhilePopBatchLooks(t *testing.T) {
	exercise.Attempted(t)
	over, stop := patient(400 * time.Millisecond)
	defer stop()
	lost := 0
	lost = closing(over)
	exercise.Expect(t, lost == 0, exercise.Verdict{
		Expected: "PopBatch is called for an empty queue, which is closed a moment later: it returns ErrClosed",
		Happened: fmt.Sprintf("the queue number %d that was tried so was closed, and PopBatch waited for ever", lost),
		PointsTo: notYet,
	})
}

package batches_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/3-batches"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// signs are how a delta is written here: ~a is Updated with the key a.
var signs = map[Type]string{
	Added: "+", Updated: "~", Deleted: "-", ReplacedAll: "LIST", SyncAll: "SYNC", Bookmark: "MARK",
}

// deltas reads a script such as "LIST +a ~a". The Object of each delta is its number, from 1 on.
func deltas(script string) []Delta {
	var all []Delta
	for n, word := range strings.Fields(script) {
		for kind, sign := range signs {
			if key, ok := strings.CutPrefix(word, sign); ok {
				all = append(all, Delta{Type: kind, Key: key, Object: n + 1})
			}
		}
	}
	return all
}

// shown is a batch in words: [+a2 ~b3] has the second and the third delta that were added.
func shown(batch []Delta) string {
	words := make([]string, len(batch))
	for i, d := range batch {
		sign, ok := signs[d.Type]
		if !ok {
			sign = fmt.Sprintf("%q ", d.Type)
		}
		words[i] = sign + d.Key + fmt.Sprint(d.Object)
	}
	return "[" + strings.Join(words, " ") + "]"
}

// clues are beliefs, by the batches that single them out.
type clues map[string]string

// comesOut adds a script to a queue, closes it, and expects batches until there are no more.
func comesOut(t *testing.T, most int, script, want string, about clues) {
	t.Helper()
	var got string
	exercise.Bubble(t, func(*testing.T) {
		q := New(most)
		for _, d := range deltas(script) {
			q.Add(d)
		}
		q.Close()
		got = drained(q)
	})
	exercise.Expect(t, got == want+end, exercise.Verdict{
		Expected: fmt.Sprintf("a batch has at most %d, and %s were added: the batches are %s%s",
			most, strings.Trim(shown(deltas(script)), "[]"), want, end),
		Happened: "they were " + got,
		PointsTo: about[strings.TrimSuffix(got, end)],
	})
}

// end is what a closed queue says when nothing is left.
const end = ", and then ErrClosed"

// drained pops a closed queue until it says that there is nothing left, and shows the batches.
func drained(q *Queue) string {
	var all []string
	for range 100 { // more than any script has
		calls := 0
		err := q.PopBatch(func(batch []Delta) error {
			calls++
			all = append(all, shown(batch))
			return nil
		})
		if err != nil || calls != 1 {
			if len(all) == 0 {
				all = []string{"none"}
			}
			return strings.Join(all, " ") + trouble(err, calls)
		}
	}
	return strings.Join(all, " ") + ", and so on"
}

// trouble is what a PopBatch did that was not to process one batch.
func trouble(err error, calls int) string {
	if errors.Is(err, ErrClosed) && calls == 0 {
		return end
	}
	if calls == 1 {
		if errors.Is(err, ErrClosed) {
			return ": process returned nil, and PopBatch returned ErrClosed"
		}
		return fmt.Sprintf(": process returned nil, and PopBatch returned the error %v", err)
	}
	return fmt.Sprintf(", and then %d calls of process from a PopBatch that returned the error %v", calls, err)
}

// play returns what HasSynced said.
func (s story) play() string {
	q, rounds := New(10), []string(nil)
	for _, script := range s.add {
		for _, d := range deltas(script) {
			q.Add(d)
		}
		before, meanwhile := yesOrNo(q.HasSynced()), "never"
		_ = q.PopBatch(func([]Delta) error {
			returns(func() { meanwhile = yesOrNo(q.HasSynced()) })
			return s.err
		})
		rounds = append(rounds, before+" "+meanwhile+" "+yesOrNo(q.HasSynced()))
	}
	return strings.Join(rounds, ", ")
}

func yesOrNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// returns says whether a call returns before its caller does anything else. There is one processor meanwhile: when
// the caller has given it up often enough, the call has returned, or waits for what the caller holds.
func returns(call func()) bool {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var done atomic.Bool
	go func() {
		call()
		done.Store(true)
	}()
	for range 10_000 {
		runtime.Gosched()
		if done.Load() {
			return true
		}
	}
	return false
}

// century is a little more than a hundred years: 2 to the power of 32 seconds.
const century = 1 << 32 * time.Second

// patient returns what is true when enough was tried: a machine that is busy with other things seldom runs two
// goroutines at the same moment, and needs longer.
func patient(limit time.Duration) (over *atomic.Bool, stop func() bool) {
	over = new(atomic.Bool)
	return over, time.AfterFunc(limit, func() { over.Store(true) }).Stop
}

// pingPong adds each delta when process has had the one before it, and closes the queue: both come about when PopBatch
// has looked and is about to wait.
func pingPong(deltas int, over *atomic.Bool) (lost string) {
	q, came, ended := New(1), make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(ended)
		for q.PopBatch(func([]Delta) error { came <- struct{}{}; return nil }) == nil {
		}
	}()
	never := time.After(time.Hour) // virtual: it comes when everybody waits
	for n := 1; n <= deltas && lost == "" && !over.Load(); n++ {
		q.Add(Delta{Added, "a", n})
		select {
		case <-came:
		case <-never:
			lost = fmt.Sprintf("delta %d was in the queue", n)
		}
	}
	q.Close()
	select {
	case <-ended:
	case <-never:
		lost = "the queue was closed"
		q.Add(Delta{Added, "a", 0}) // wakes it
	}
	<-ended
	return lost
}

// closing closes a new queue again and again, each time a little later after PopBatch was called, and returns the
// number of the queue whose PopBatch never heard of it: 0 where all did.
func closing(over *atomic.Bool) (lost int) {
	for n := 1; lost == 0 && !over.Load(); n++ {
		q, ended := New(1), make(chan struct{})
		var begin atomic.Int32
		go func() {
			defer close(ended)
			begin.Store(1)
			for begin.Load() != 2 {
				runtime.Gosched()
			}
			q.PopBatch(func([]Delta) error { return nil })
		}()
		for begin.Load() != 1 {
			runtime.Gosched()
		}
		begin.Store(2)
		for range n % 120 {
			begin.Load()
		}
		q.Close()
		select {
		case <-ended:
		case <-time.After(3 * time.Second): // of real time: in a bubble the moment hardly comes
			lost = n
			q.Add(Delta{Added, "a", n}) // wakes it
			<-ended
		}
	}
	return lost
}

// repeated pops a queue with a script again and again, and returns the batches that are not those wanted, if any. The
// batches are looked at when all is over: what writes text has locks of its own.
func repeated(times int, script, want string) string {
	all, rounds := deltas(script), make([][][]Delta, times)
	for n := range rounds {
		q := New(10)
		for _, d := range all {
			q.Add(d)
		}
		q.Close()
		for q.PopBatch(func(batch []Delta) error { rounds[n] = append(rounds[n], batch); return nil }) == nil {
		}
	}
	for _, batches := range rounds {
		var words []string
		for _, batch := range batches {
			words = append(words, shown(batch))
		}
		if got := strings.Join(words, " "); got != want {
			return got
		}
	}
	return want
}

// A model is what a queue should be: deltas, and whether the first list was processed.
type model struct {
	most   int
	first  Delta
	waits  []Delta
	synced bool
	kept   [][]Delta
	wanted []string // the batches in kept
}

// play does the same with a queue and with the model, and returns what should come next, and what came otherwise.
func (m *model) play(q *Queue, random *rand.Rand) (should, is string) {
	for n := 1; n <= 40; n++ {
		if len(m.waits) > 0 && random.IntN(4) == 0 {
			should, is = m.pop(q)
		} else {
			m.add(q, randomDelta(random, n))
		}
		if got := q.HasSynced(); got != m.synced && is == "" {
			return fmt.Sprintf("the first delta was %s, and %d batches were processed: HasSynced is %v",
				shown([]Delta{m.first}), len(m.kept), m.synced), fmt.Sprintf("it was %v", got)
		}
		if is != "" {
			return should, is
		}
	}
	return "", ""
}

func randomDelta(random *rand.Rand, n int) Delta {
	kinds := []Type{ReplacedAll, Added, Updated, Deleted, Added, Updated, Deleted, SyncAll, Bookmark}
	if n == 1 {
		kinds = kinds[:4]
	}
	d := Delta{Type: kinds[random.IntN(len(kinds))], Object: n}
	if d.Type == Added || d.Type == Updated || d.Type == Deleted {
		d.Key = string(rune('a' + random.IntN(8)))
	}
	return d
}

func (m *model) add(q *Queue, d Delta) {
	if m.first.Type == "" {
		m.first, m.synced = d, d.Type != ReplacedAll
	}
	m.waits = append(m.waits, d)
	q.Add(d)
}

func (m *model) pop(q *Queue) (should, is string) {
	n := 1
	for n < len(m.waits) && m.fits(n) {
		n++
	}
	want := shown(m.waits[:n])
	should = fmt.Sprintf("a batch has at most %d, the one before was %s, and first in the queue are %s: the next one is %s",
		m.most, m.before(), shown(m.waits[:min(len(m.waits), m.most+1)]), want)
	m.synced = m.synced || m.waits[0].Type == ReplacedAll
	m.waits = m.waits[n:]
	got := "none"
	_ = q.PopBatch(func(batch []Delta) error { got = shown(batch); m.kept = append(m.kept, batch); return nil })
	m.wanted = append(m.wanted, want)
	if got != want {
		return should, "it was " + got
	}
	return "", ""
}

// before is the batch that was popped last.
func (m *model) before() string {
	if len(m.wanted) == 0 {
		return "none"
	}
	return m.wanted[len(m.wanted)-1]
}

// changed says which batch is no longer what it was.
func (m *model) changed() (was, is string) {
	for n, batch := range m.kept {
		if got := shown(batch); got != m.wanted[n] {
			return fmt.Sprintf("batch number %d is %s", n+1, m.wanted[n]), "at the end it is " + got
		}
	}
	return "", ""
}

// fits says whether the next delta can be in a batch with the n before it.
func (m *model) fits(n int) bool {
	if n == m.most {
		return false
	}
	for _, d := range m.waits[:n] {
		if d.Key == m.waits[n].Key || d.Key == "" || m.waits[n].Key == "" { // those without a key are alone
			return false
		}
	}
	return true
}

package channel_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/exercises/3-channel"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

var _ source.Source = (*Source)(nil)

// A scene is a Source in a bubble, and the queue that it adds to. An Add runs until the scene lets it return.
type scene struct {
	t       *testing.T
	source  *Source
	ctx     context.Context
	cancel  context.CancelFunc
	next    chan struct{}                   // one Add returns for each that is sent
	release chan struct{}                   // closed when all Adds return
	free    bool                            // release is closed
	failed  atomic.Bool                     // a verdict was given
	meets   func(request reconcile.Request) // what an Add does besides, or nil

	mu       sync.Mutex
	added    []Key // as Adds were called
	told     int   // so many of them are in the transcript
	running  int   // Adds that have not returned
	most     int   // the most of them at one time
	other    []string
	mistaken int             // Adds to a queue that was refused
	met      map[string]bool // capital letters that were added
}

// play tells a story with a Source of its own, and ends it. It reports, and the first verdict ends the test.
func play(t *testing.T, story func(*scene)) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // what another goroutine is to do is not done by chance
	exercise.Bubble(t, func(*testing.T) {
		s := newScene(t)
		synctest.Wait()
		story(s)
		s.end()
	})
	if t.Failed() {
		t.FailNow()
	}
}

// newScene makes a Source in the bubble of its caller.
func newScene(t *testing.T) *scene {
	s := &scene{t: t, next: make(chan struct{}), release: make(chan struct{}), met: map[string]bool{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.source = New()
	return s
}

// end lets all Adds return and ends ctx: what the Source has started should end, too.
func (s *scene) end() {
	s.cancel()
	s.letReturn()
	synctest.Wait()
	s.mu.Lock()
	most, mistaken := s.most, s.mistaken
	s.mu.Unlock()
	s.expect(most <= 1, "an Add is called when the one before it has returned",
		fmt.Sprintf("%d Adds ran at one time", most), "")
	s.expect(len(s.others()) == 0, "", "", "") // it says which
	s.expect(mistaken == 0, "a Start that returns an error changes nothing: nothing is added to the queue that it was "+
		"given", fmt.Sprintf("%d were", mistaken), "")
}

// others are the methods of the queue that were called besides Add.
func (s *scene) others() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Compact(slices.Clone(s.other))
}

// about is the belief that leads to another method.
func about(other []string) string {
	if slices.Equal(other, []string{"AddRateLimited"}) {
		return "the belief that AddRateLimited is an Add that is careful. It counts a failure of the key, and each " +
			"makes the next wait longer. Nothing has failed here"
	}
	return ""
}

// held is the belief of whoever waits while an Add runs.
func (s *scene) held() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running > 1 {
		return "the belief that an Add is quick. It takes the queue's lock, and may do anything else"
	}
	return overAdd
}

// expect is exercise.Expect in a bubble: the scene has to end all the same. Of several verdicts the first counts.
func (s *scene) expect(ok bool, expected, happened, belief string) {
	s.t.Helper()
	if !ok && s.failed.CompareAndSwap(false, true) {
		if other := s.others(); len(other) > 0 { // that explains the rest
			expected, happened, belief = "of the queue's methods none but Add is called",
				"called was "+strings.Join(other, ", "), about(other)
		}
		exercise.Report(s.t, exercise.Verdict{Expected: expected, Happened: happened, PointsTo: belief})
	}
}

// A queue is what a Source is started with. Its other methods only note that they were called.
type queue struct {
	s       *scene
	refused bool // Start returns an error
}

func (q queue) Add(request reconcile.Request) {
	s := q.s
	s.mu.Lock()
	if q.refused {
		s.mistaken++
	}
	s.added = append(s.added, request.NamespacedName)
	s.running++
	s.most = max(s.most, s.running)
	s.mu.Unlock()
	if s.meets != nil {
		s.meets(request)
	}
	select {
	case <-s.next:
	case <-s.release:
	}
	s.mu.Lock()
	s.running--
	s.mu.Unlock()
}

func (q queue) note(method string) {
	q.s.mu.Lock()
	defer q.s.mu.Unlock()
	q.s.other = append(q.s.other, method)
}

func (q queue) AddRateLimited(reconcile.Request)          { q.note("AddRateLimited") }
func (q queue) AddAfter(reconcile.Request, time.Duration) { q.note("AddAfter") }
func (q queue) Done(reconcile.Request)                    { q.note("Done") }
func (q queue) Forget(reconcile.Request)                  { q.note("Forget") }
func (q queue) ShutDown()                                 { q.note("ShutDown") }
func (q queue) ShutDownWithDrain()                        { q.note("ShutDownWithDrain") }
func (q queue) Len() int                                  { q.note("Len"); return 0 }
func (q queue) NumRequeues(reconcile.Request) int         { q.note("NumRequeues"); return 0 }
func (q queue) ShuttingDown() bool                        { q.note("ShuttingDown"); return false }
func (q queue) Get() (reconcile.Request, bool)            { q.note("Get"); return reconcile.Request{}, true }

// settle has the other goroutines run until they wait. While an Add runs, one may wait for a lock, and synctest.Wait
// for that one.
func (s *scene) settle() {
	for range 100 {
		runtime.Gosched()
	}
	s.mu.Lock()
	running := s.running
	s.mu.Unlock()
	if running == 0 || s.free {
		synctest.Wait()
	}
}

// letReturn has the Adds return that run, and those that are still to come.
func (s *scene) letReturn() {
	if !s.free {
		close(s.release)
		s.free = true
	}
	s.settle()
}

// returns has another goroutine call f, and says whether that returned at once. Anybody in the scene may ask.
func (s *scene) returns(f func()) bool {
	var returned atomic.Bool
	go func() {
		defer returned.Store(true)
		defer func() {
			if p := recover(); p != nil {
				s.expect(false, "nothing that is called panics", fmt.Sprintf("it panicked: %v", p), "")
			}
		}()
		f()
	}()
	for n := 0; n < 3000 && !returned.Load(); n++ {
		runtime.Gosched()
	}
	return returned.Load()
}

// notify calls Notify for keys, one after the other. It says whether all returned at once.
func (s *scene) notify(keys ...Key) bool {
	return s.returns(func() {
		for _, key := range keys {
			s.source.Notify(key)
		}
	})
}

// start calls Start. returned says whether it did so at once.
func (s *scene) start(refused bool) (returned bool, err error) {
	var result atomic.Pointer[error]
	returned = s.returns(func() {
		err := s.source.Start(s.ctx, queue{s, refused})
		result.Store(&err)
	})
	if p := result.Load(); p != nil {
		err = *p
	}
	return returned, err
}

// keys are the Adds that were called until now.
func (s *scene) keys() []Key {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.added)
}

// news writes the Adds that were called since it was last asked: "(a)".
func (s *scene) news() string {
	all := s.keys()
	names := make([]string, 0, 1)
	for _, key := range all[s.told:] {
		names = append(names, key.Name)
	}
	s.told = len(all)
	if len(names) == 0 {
		return ""
	}
	return "(" + strings.Join(names, " ") + ")"
}

// letter is a key in a script.
func letter(name string) Key { return Key{Namespace: "default", Name: name} }

func capital(name string) bool { return name[0] >= 'A' && name[0] <= 'Z' }

// do does one word of a script. A letter is its Notify, and the first Add of a capital letter notifies it and its small
// letter. "start" is Start and "again" one more, which has to be refused. "return" has the Add that runs return, if
// one does, and "end" ends ctx.
func (s *scene) do(script, word string) {
	switch word {
	case "start":
		returned, err := s.start(false)
		s.expect(returned, script+": Start returns at once", "it waited", startWaits)
		s.expect(err == nil, script+": Start returns nil", fmt.Sprintf("it returned %v", err), "")
	case "again":
		returned, err := s.start(true)
		s.expect(returned, script+": the second Start returns at once", "it waited", "")
		s.expect(err != nil, script+": the second Start returns an error", "it returned nil", "")
	case "return":
		select {
		case s.next <- struct{}{}:
		default:
		}
	case "end":
		s.cancel()
	default:
		s.expect(s.notify(letter(word)), fmt.Sprintf("%s: Notify of %s returns at once", script, word), "it waited", "")
	}
	s.settle()
}

const startWaits = "the belief that a controller has a goroutine for each of its sources. It starts them one after " +
	"the " +
	"other, and its workers when the last one has returned"

// enter is what the Add of a capital letter does besides.
func (s *scene) enter(script string) func(reconcile.Request) {
	return func(request reconcile.Request) {
		s.mu.Lock()
		name := request.Name
		first := !s.met[name]
		s.met[name] = true
		s.mu.Unlock()
		if first && name != "" && capital(name) {
			s.expect(s.notify(letter(name), letter(strings.ToLower(name))),
				script+": an Add calls Notify, which returns at once", "it waited", overAdd)
		}
	}
}

const overAdd = "the belief that a lock may be held while somebody else's code runs. That code may call back, " +
	"and may take as long as it likes"

// plays plays a script with a Source of its own, and writes after each word which Adds were called: "a start(a)".
func (s *scene) plays(script string) string {
	var transcript []string
	for word := range strings.FieldsSeq(script) {
		if s.failed.Load() {
			break
		}
		s.do(script, word)
		transcript = append(transcript, word+s.news())
	}
	return strings.Join(transcript, " ")
}

// clues are beliefs, by what single them out.
type clues map[string]string

// comes plays a script and expects what the model says of it.
func comes(t *testing.T, script string, about clues) {
	t.Helper()
	want := model(script)
	play(t, func(s *scene) {
		s.meets = s.enter(script)
		got := s.plays(script)
		s.expect(got == want, fmt.Sprintf("%s: %s", legend(script), want), "it was "+got, about[got])
	})
}

// legend explains the signs of a script.
func legend(script string) string {
	signs := []string{"a letter is its Notify", "x(a) says that Add of a is called then"}
	if strings.Contains(script, "return") {
		signs = append(signs, "return has the Add that runs return")
	}
	if strings.Contains(script, "end") {
		signs = append(signs, "end ends ctx")
	}
	if strings.Contains(script, "again") {
		signs = append(signs, "again is a second Start")
	}
	if strings.ToLower(script) != script {
		signs = append(signs, "the first Add of a capital letter notifies it and its small letter")
	}
	return strings.Join(signs, ", ")
}

// model is what a script leads to, as the assignment has it.
func model(script string) string {
	var transcript, waiting []string
	met := map[string]bool{}
	started, ended, running := false, false, false
	notify := func(name string) {
		if gone := started && ended && !running; !gone && !slices.Contains(waiting, name) {
			waiting = append(waiting, name)
		}
	}
	for word := range strings.FieldsSeq(script) {
		switch word {
		case "start":
			started = true
		case "return":
			running = false
		case "end":
			ended = true
		case "again":
		default:
			notify(word)
		}
		if started && !ended && !running && len(waiting) > 0 {
			name := waiting[0]
			running, waiting = true, waiting[1:]
			word += "(" + name + ")"
			if capital(name) && !met[name] {
				met[name] = true
				notify(name)
				notify(strings.ToLower(name))
			}
		}
		transcript = append(transcript, word)
	}
	return strings.Join(transcript, " ")
}

// own counts the goroutines that are in exercise.go, or were started there.
func own() (count int) {
	text := make([]byte, 1<<20)
	for one := range strings.SplitSeq(string(text[:runtime.Stack(text, true)]), "\n\n") {
		if strings.Contains(one, "/3-channel/exercise.go:") {
			count++
		}
	}
	return count
}

// heap is how many bytes are in use.
func heap() int {
	runtime.GC()
	runtime.GC() // what the first one has found is free after the second
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// A counter is a queue that remembers nothing.
type counter struct {
	queue
	added *atomic.Int64
}

func (c counter) Add(reconcile.Request) { c.added.Add(1) }

// years are 68, 2 to the power of 31 seconds. A bubble has 262 of them before its clock ends.
const years = 1 << 31 * time.Second

// takeTurns counts how often a goroutine had a processor that gives it up at once, until end. Where there is one
// processor, as in play, that is when all others wait, or one has had its share of time: so a machine that stands still
// for a while costs a turn, however long that is. Not in a bubble: its time would stand still meanwhile.
func takeTurns() (turns *atomic.Int64, end func()) {
	turns = new(atomic.Int64)
	var ended atomic.Bool
	var counts sync.WaitGroup
	counts.Go(func() {
		for !ended.Load() {
			turns.Add(1)
			runtime.Gosched()
		}
	})
	return turns, func() {
		ended.Store(true)
		counts.Wait()
	}
}

// patience is in turns. Where everybody waits there is one for each Sleep of passes, at most; a share of time is 10 ms.
const patience = 40

// passes lets years of virtual time pass, which takes no time where everybody waits. Otherwise it ends when patience
// does.
func passes(turns *atomic.Int64) (passed time.Duration) {
	began := turns.Load()
	for passed < years && turns.Load()-began < patience {
		step := max(passed, time.Second)
		time.Sleep(step)
		passed += step
	}
	return passed
}

// rests says whether what runs in exercise.go comes to wait. There is one processor meanwhile, so that it runs each
// time this goroutine gives that up, until it waits or has had its share of time.
func rests() bool {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	quiet := 0
	for range 50 {
		runtime.Gosched()
		if quiet++; busy() {
			quiet = 0
		}
		if quiet == 5 {
			return true
		}
	}
	return false
}

// busy says whether a goroutine runs, or would if it had a processor, that comes from this folder and is not its
// caller's.
func busy() bool {
	text := make([]byte, 1<<20)
	all := strings.Split(string(text[:runtime.Stack(text, true)]), "\n\n")
	for _, one := range all[1:] { // the first is the caller
		head, calls, _ := strings.Cut(one, "\n")
		_, state, _ := strings.Cut(head, "[")
		runs := strings.HasPrefix(state, "run") || strings.HasPrefix(state, "preempted")
		if runs && strings.Contains(calls, "/3-channel/") {
			return true
		}
	}
	return false
}

// A telling context tells whenever somebody has asked for its end, or has looked whether it has come: the answer is
// settled by then.
type telling struct {
	context.Context
	asked func()
}

func (c telling) Done() <-chan struct{} {
	c.asked()
	return c.Context.Done()
}

func (c telling) Err() error {
	err := c.Context.Err()
	c.asked()
	return err
}

// A noter is a queue whose Add does something with the key.
type noter struct {
	queue
	do func(key Key)
}

func (n noter) Add(request reconcile.Request) { n.do(request.NamespacedName) }

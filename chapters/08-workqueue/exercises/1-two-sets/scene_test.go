package twosets_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/exercises/1-two-sets"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// What several tests may point to.
const (
	emptyAtTheEnd = "the belief that a queue is empty when it is shut down. Nothing more comes, and what has come " +
		"before has to be processed"
	lineClosed = "the belief that after the shutdown nothing comes into the line. This item was added before"
	looking    = "the belief that to look from time to time is to wait. A waiter that looks seldom is late, and one " +
		"that looks often is busy while nothing happens"
)

// A scene is a queue in a bubble. Each call is made by a goroutine of its own, since it may wait, and the next one when
// nothing happens any more.
type scene struct {
	q        *Queue[string]
	calls    []*call  // those that have not returned
	held     []string // what workers have
	closed   bool     // ShutDown was called
	drained  bool     // ShutDownWithDrain was called
	panicked string   // the call that has, and why
}

// A call is one of a method.
type call struct {
	name     string // "Get"
	result   string // " returns a", or nothing
	returned atomic.Bool
}

// clues are beliefs, by what single them out.
type clues map[string]string

// play makes calls with a queue of its own, and expects what comes of each. A story has a semicolon between two:
//
//	Add a, b                       Add for a and then for b, without a pause
//	Get returns a                  with false
//	Get waits                      it does not return
//	Get returns true               whatever the item
//	Add c, and a Get returns c     one that waited does
//	ShutDownWithDrain waits
//	Done c, and ShutDownWithDrain returns
func play(t *testing.T, story string, about clues) {
	t.Helper()
	played(t, (*scene).end, func(s *scene) { s.tell(t, story, about) })
}

// atWork is play for a queue that is not shut down: at the end of the story nobody waits.
func atWork(t *testing.T, story string, about clues) {
	t.Helper()
	played(t, (*scene).leave, func(s *scene) { s.tell(t, story, about) })
}

// tell plays a story until something else comes of a call.
func (s *scene) tell(t *testing.T, story string, about clues) {
	t.Helper()
	var told []string
	for want := range strings.SplitSeq(story, "; ") {
		told = append(told, want)
		got := s.step(want)
		if got == want {
			continue
		}
		missing := s.missing(want)
		later := s.aMinuteLater()
		exercise.Report(t, exercise.Verdict{
			Expected: strings.Join(told, "; "),
			Happened: "the last step was: " + past(got+missing+later),
			PointsTo: about[got+later],
		})
		return
	}
}

// past is for what happened.
func past(steps string) string {
	return strings.NewReplacer(
		" returns", " returned", " waits", " had not returned", " panics", " panicked",
	).Replace(steps)
}

// played gives a scene of its own to a story, and ends it. A story reports, and does not end the test.
func played(t *testing.T, ends func(*scene), story func(*scene)) {
	t.Helper()
	exercise.Bubble(t, func(*testing.T) {
		s := &scene{q: New[string]()}
		story(s)
		if s.panicked == "" { // or nothing more can be said of the queue
			ends(s)
		}
		if s.panicked != "" && !t.Failed() {
			exercise.Report(t, exercise.Verdict{Expected: "no panic", Happened: past(s.panicked)})
		}
	})
	if t.Failed() {
		t.FailNow()
	}
}

// step makes the call that a story begins with, and returns what came of it in the same words.
func (s *scene) step(want string) (got string) {
	what, _, _ := strings.Cut(want, ", and ")
	what, _, _ = strings.Cut(what, " returns")
	what = strings.TrimSuffix(what, " waits")
	others := s.calls
	s.calls = nil
	s.call(what)
	s.settle()
	got = what + " waits"
	if told := s.reap(); len(told) > 0 {
		got = told[0]
	}
	s.calls = append(others, s.calls...)
	return got + andThose(s.reap())
}

// call starts one: "Add a, b", "Get", "ShutDown".
func (s *scene) call(what string) *call {
	s.closed = s.closed || what == "ShutDown"
	s.drained = s.drained || what == "ShutDownWithDrain"
	return s.start(what, func() (result string) {
		method, items, _ := strings.Cut(what, " ")
		switch method {
		case "Add":
			for item := range strings.SplitSeq(items, ", ") {
				s.q.Add(item)
			}
		case "Get":
			return get(s.q)
		case "Done":
			s.q.Done(items)
		case "Len":
			s.q.Len()
		case "ShutDown":
			s.q.ShutDown()
		case "ShutDownWithDrain":
			s.q.ShutDownWithDrain()
			return " returns"
		case "ShuttingDown":
			s.q.ShuttingDown()
		}
		return ""
	})
}

func get(q *Queue[string]) (result string) {
	item, shutdown := q.Get()
	switch {
	case shutdown:
		return " returns true"
	case item == "":
		return ` returns ""`
	}
	return " returns " + item
}

// panics is what a result begins with after a panic.
const panics = " panics: "

// start makes a call. A panic is what came of it: the story says more than a stack does.
func (s *scene) start(name string, f func() (result string)) *call {
	c := &call{name: name}
	s.calls = append(s.calls, c)
	go func() {
		defer c.returned.Store(true)
		defer func() {
			if p := recover(); p != nil {
				c.result = fmt.Sprintf(panics+"%v", p)
				if where, _, ok := exercise.Place(string(debug.Stack())); ok {
					c.result += ", at " + where
				}
			}
		}()
		c.result = f()
	}()
	return c
}

// settle returns when nothing happens any more.
func (s *scene) settle() { synctest.Wait() }

// andThose tells of calls that waited and have returned.
func andThose(told []string) (text string) {
	for _, one := range told {
		text += ", and " + article(one)
	}
	return text
}

// article is for one Get of several.
func article(one string) string {
	if strings.HasPrefix(one, "Get") {
		return "a " + one
	}
	return one
}

// missing tells which calls still wait of those that should have returned.
func (s *scene) missing(want string) (text string) {
	_, others, _ := strings.Cut(want, ", and ")
	for _, c := range s.calls {
		if strings.Contains(others, c.name) {
			text += ", and " + article(c.name) + " waits"
		}
	}
	return text
}

// reap forgets the calls that have returned, and remembers which items workers have.
func (s *scene) reap() (told []string) {
	s.calls = slices.DeleteFunc(s.calls, func(c *call) bool {
		if !c.returned.Load() {
			return false
		}
		if strings.HasPrefix(c.result, panics) {
			s.panicked = c.name + c.result
		}
		told = append(told, c.name+c.result)
		if item, got := strings.CutPrefix(c.name+c.result, "Get returns "); got && item != "true" {
			s.held = append(s.held, item)
		}
		if item, done := strings.CutPrefix(c.name, "Done "); done {
			s.held = slices.DeleteFunc(s.held, func(held string) bool { return held == item })
		}
		return true
	})
	slices.Sort(told)
	return told
}

// aMinuteLater tells what has returned meanwhile.
func (s *scene) aMinuteLater() string {
	s.wait()
	later := andThose(s.reap())
	return strings.Replace(later, ", and", "; a minute later", 1)
}

// wait is for those who look from time to time.
func (s *scene) wait() {
	s.settle()
	if slices.ContainsFunc(s.calls, func(c *call) bool { return !c.returned.Load() }) {
		time.Sleep(time.Minute)
		s.settle()
	}
}

// end shuts down, and has workers process what is left, so that all calls come to their end. ShutDown is called once,
// and not after a ShutDownWithDrain that has returned.
func (s *scene) end() {
	drains := slices.ContainsFunc(s.calls, func(c *call) bool { return c.name == "ShutDownWithDrain" })
	if !s.closed && (!s.drained || drains) {
		s.call("ShutDown")
	}
	for range 100 {
		s.wait()
		told := s.reap()
		if len(s.calls)+len(s.held) == 0 && slices.Contains(told, "Get returns true") {
			return
		}
		for _, item := range s.held {
			s.call("Done " + item)
		}
		s.wait()
		s.reap()
		s.call("Get")
	}
}

// leave ends a story after which nobody waits, without a ShutDown: that may be still to be written. Only a queue with a
// goroutine of its own needs it.
func (s *scene) leave() {
	dump := make([]byte, 1<<20)
	if strings.Contains(string(dump[:runtime.Stack(dump, true)]), "/1-two-sets.") {
		s.end()
	}
}

// sleepsAllYear expects that a Get that waits does so in peace: nothing runs while time passes.
func sleepsAllYear(t *testing.T) {
	t.Helper()
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection has goroutines that run, too
	played(t, (*scene).leave, func(s *scene) {
		defer s.step("Add a") // for that Get: it ends without a ShutDown
		const year = 365 * 24 * time.Hour
		s.call("Get")
		s.settle()
		// From the shortest pause on, so that soon enough is seen of those that look often.
		for pause, passed := time.Microsecond, time.Duration(0); passed < year; pause *= 2 {
			busy := 0 // times in a row: those that look do so each time, and what else runs in the process does not
			for before := runs(); busy < 3; busy++ {
				time.Sleep(pause)
				passed += pause
				now := runs()
				if now-before <= 500 {
					break
				}
				before = now
			}
			if busy == 3 {
				exercise.Report(t, exercise.Verdict{
					Expected: "Get waits, and a year later it has not looked, since nothing was added",
					Happened: fmt.Sprintf("something ran again and again, hundreds of times in %v", passed),
					PointsTo: looking,
				})
				return
			}
		}
	})
}

// runs returns how often goroutines began to run, or went on: the runtime counts each eighth time.
func runs() (n uint64) {
	sample := []metrics.Sample{{Name: "/sched/latencies:seconds"}}
	metrics.Read(sample)
	for _, count := range sample[0].Value.Float64Histogram().Counts {
		n += count
	}
	return n
}

// oneAtATime has one goroutine run until it waits, and then the next: who comes first is not up to chance.
func oneAtATime(t *testing.T) {
	n := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(n) })
}

// A model is a queue on paper: what has to come of each call.
type model struct {
	line              []string
	again, processing map[string]bool // again are those that were added while a worker has them
	closed, forced    bool            // forced is by ShutDown
	gets, drains      int             // that wait
}

// everyHistory plays all ways to make so many of these calls, in which a is added first.
func everyHistory(t *testing.T, length int, calls ...string) {
	t.Helper()
	histories := [][]string{nil}
	for at := 0; at < len(histories); at++ {
		made := histories[at]
		m := &model{again: map[string]bool{}, processing: map[string]bool{}}
		var story []string
		for _, call := range made {
			story = append(story, m.step(call))
		}
		for _, call := range calls {
			if len(made) < length && m.can(call) && (call != "Add b" || slices.Contains(made, "Add a")) {
				histories = append(histories, append(slices.Clone(made), call))
			}
		}
		for len(m.line) > 0 {
			story = append(story, m.step("Get"))
		}
		if m.can("Get") {
			story = append(story, m.step("Get"))
		}
		play(t, strings.Join(story, "; "), nil)
	}
}

// can says whether a worker, or somebody who shuts the queue down, may make this call.
func (m *model) can(what string) bool {
	item, done := strings.CutPrefix(what, "Done ")
	switch {
	case done:
		return m.processing[item]
	case what == "ShutDown":
		return !m.closed || m.drains > 0 && !m.forced
	case what == "ShutDownWithDrain":
		return !m.closed
	}
	return m.gets < 2 || what != "Get"
}

// step makes a call, and returns what comes of it as [play] writes it.
func (m *model) step(what string) string {
	method, item, _ := strings.Cut(what, " ")
	switch method {
	case "Add":
		if m.processing[item] && !m.closed {
			m.again[item] = true
		} else if !m.closed && !slices.Contains(m.line, item) {
			m.line = append(m.line, item)
		}
	case "Get":
		m.gets++
	case "Done":
		delete(m.processing, item)
		if m.again[item] {
			delete(m.again, item)
			m.line = append(m.line, item)
		}
	case "ShutDown":
		m.closed, m.forced = true, true
	case "ShutDownWithDrain":
		m.closed = true
		m.drains++
	}
	told := m.returned()
	own := what
	if method == "Get" || method == "ShutDownWithDrain" {
		own = what + " waits"
		at := slices.IndexFunc(told, func(one string) bool { return strings.HasPrefix(one, what) })
		if at >= 0 {
			own = told[at]
			told = slices.Delete(told, at, at+1)
		}
	}
	return own + andThose(told)
}

// returned are the calls that wait no more.
func (m *model) returned() (told []string) {
	for m.gets > 0 && (len(m.line) > 0 || m.closed) {
		got := "true"
		if len(m.line) > 0 {
			got, m.line = m.line[0], m.line[1:]
			m.processing[got] = true
		}
		m.gets--
		told = append(told, "Get returns "+got)
	}
	if idle := len(m.line)+len(m.processing) == 0; idle || m.forced {
		told = append(told, slices.Repeat([]string{"ShutDownWithDrain returns"}, m.drains)...)
		m.drains = 0
	}
	return told
}

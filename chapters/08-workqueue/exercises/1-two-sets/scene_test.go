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

// A scene is a queue in a bubble. Each call is made by a goroutine of its own, since it may wait, and the next one when
// nothing happens any more.
type scene struct {
	q     *Queue[string]
	calls []*call  // those that have not returned
	held  []string // what is being processed
}

// A call is one of a method.
type call struct {
	name     string // "Get"
	result   string // ": a", or nothing
	returned atomic.Bool
}

// clues are beliefs, by what single them out.
type clues map[string]string

// play makes calls with a queue of its own, and expects what comes of each. A story has a semicolon between two:
//
//	Add a b                        Add for a and then for b, without a pause
//	Get: a                         it returns a
//	Get: waits                     it does not return
//	Get: shutdown                  it returns that shutdown is true
//	Add c, and Get returns c       one that waited does
//	ShutDownWithDrain: waits
//	Len: 1
//	ShuttingDown: true
func play(t *testing.T, story string, about clues) {
	t.Helper()
	played(t, func(s *scene) {
		var told []string
		for want := range strings.SplitSeq(story, "; ") {
			told = append(told, want)
			got := s.step(want)
			if got == want {
				continue
			}
			got += s.aMinuteLater()
			exercise.Report(t, exercise.Verdict{
				Expected: strings.Join(told, "; "),
				Happened: "the last was " + got,
				PointsTo: about[got],
			})
			break
		}
	})
}

// played gives a scene of its own to a story, and ends it. A story reports, and does not end the test.
func played(t *testing.T, story func(*scene)) {
	t.Helper()
	exercise.Bubble(t, func(*testing.T) {
		s := &scene{q: New[string]()}
		story(s)
		s.end()
	})
	if t.Failed() {
		t.FailNow()
	}
}

// step makes the call that a story begins with, and returns what came of it in the same words.
func (s *scene) step(want string) (got string) {
	what, _, _ := strings.Cut(want, ", and ")
	what, _, _ = strings.Cut(what, ":")
	others := s.calls
	s.calls = nil
	s.call(what)
	s.settle()
	got = what + ": waits"
	if told := s.reap(); len(told) > 0 {
		got = told[0]
	}
	s.calls = append(others, s.calls...)
	return got + s.others(", and ")
}

// call starts one: "Add a b", "Get", "ShutDown".
func (s *scene) call(what string) *call {
	return s.start(what, func() (result string) {
		method, items, _ := strings.Cut(what, " ")
		switch method {
		case "Add":
			for item := range strings.FieldsSeq(items) {
				s.q.Add(item)
			}
		case "Get":
			item, shutdown := s.q.Get()
			if shutdown {
				return ": shutdown"
			}
			return ": " + item
		case "Done":
			s.q.Done(items)
		case "Len":
			return fmt.Sprint(": ", s.q.Len())
		case "ShutDown":
			s.q.ShutDown()
		case "ShutDownWithDrain":
			s.q.ShutDownWithDrain()
		case "ShuttingDown":
			return fmt.Sprint(": ", s.q.ShuttingDown())
		}
		return ""
	})
}

// start makes a call.
func (s *scene) start(name string, f func() (result string)) *call {
	c := &call{name: name}
	s.calls = append(s.calls, c)
	go func() {
		c.result = f()
		c.returned.Store(true)
	}()
	return c
}

// settle returns when nothing happens any more.
func (s *scene) settle() { synctest.Wait() }

// others tells which of the calls that waited have returned.
func (s *scene) others(intro string) string {
	told := s.reap()
	if len(told) == 0 {
		return ""
	}
	return intro + strings.Join(returns(told), ", and ")
}

// returns makes "Get returns a" of "Get: a", and "ShutDown returns" of "ShutDown".
func returns(told []string) []string {
	for i, one := range told {
		name, result, _ := strings.Cut(one, ": ")
		told[i] = strings.TrimSpace(name + " returns " + result)
	}
	return told
}

// reap forgets the calls that have returned, and remembers which items a worker has.
func (s *scene) reap() (told []string) {
	s.calls = slices.DeleteFunc(s.calls, func(c *call) bool {
		if !c.returned.Load() {
			return false
		}
		told = append(told, c.name+c.result)
		if item, got := strings.CutPrefix(c.name+c.result, "Get: "); got && item != "shutdown" {
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
	return s.others("; a minute later ")
}

// wait is for those who look from time to time.
func (s *scene) wait() {
	s.settle()
	if slices.ContainsFunc(s.calls, func(c *call) bool { return !c.returned.Load() }) {
		time.Sleep(time.Minute)
		s.settle()
	}
}

// end shuts down and processes what is left, so that all calls come to their end.
func (s *scene) end() {
	s.call("ShutDown")
	for range 100 {
		s.wait()
		told := s.reap()
		if len(s.calls)+len(s.held) == 0 && slices.Contains(told, "Get: shutdown") {
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

// sleepsAllYear expects that a Get that waits does so in peace: nothing runs while time passes.
func sleepsAllYear(t *testing.T) {
	t.Helper()
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection has goroutines that run, too
	played(t, func(s *scene) {
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
					Expected: "Get: waits, and a year later it has not looked, since nothing was added",
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

// allAreItems expects that different items come out as they were added. The clues are by what came out.
func allAreItems[T comparable](t *testing.T, about clues, items ...T) {
	t.Helper()
	var got []T
	exercise.Bubble(t, func(*testing.T) {
		q := New[T]()
		for _, item := range items {
			q.Add(item)
		}
		go func() {
			for item, shutdown := q.Get(); !shutdown; item, shutdown = q.Get() {
				got = append(got, item)
				q.Done(item)
			}
		}()
		synctest.Wait()
		q.ShutDown()
	})
	exercise.Expect(t, slices.Equal(got, items), exercise.Verdict{
		Expected: "the items " + list(items) + " are added, and come out",
		Happened: "what came out was " + list(got),
		PointsTo: about[list(got)],
	})
}

// list writes items as Go does.
func list[T any](items []T) string {
	var texts []string
	for _, item := range items {
		texts = append(texts, fmt.Sprintf("%#v", item))
	}
	return strings.Join(texts, ", ")
}

// oneAtATime has one goroutine run until it waits, and then the next: who comes first is not up to chance.
func oneAtATime(t *testing.T) {
	n := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(n) })
}

// A model is a queue on paper: what has to come of each call.
type model struct {
	line              []string
	again, processing map[string]bool // again are those that were added while they are processed
	closed            bool
	gets, drains      int // that wait
}

func newModel() *model { return &model{again: map[string]bool{}, processing: map[string]bool{}} }

// can says whether a worker, or somebody who shuts the queue down, may make this call.
func (m *model) can(what string) bool {
	item, done := strings.CutPrefix(what, "Done ")
	switch {
	case done:
		return m.processing[item]
	case what == "ShutDownWithDrain":
		return !m.closed || m.drains > 0 // ShutDown ends them, and there is none after it
	}
	return m.gets < 2 || what != "Get"
}

// step makes a call, and returns what comes of it as [play] writes it.
func (m *model) step(what string) string {
	method, item, _ := strings.Cut(what, " ")
	var told []string
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
	case "ShutDown", "ShutDownWithDrain":
		m.closed = true
	}
	for m.gets > 0 && (len(m.line) > 0 || m.closed) {
		got := "shutdown"
		if len(m.line) > 0 {
			got, m.line = m.line[0], m.line[1:]
			m.processing[got] = true
		}
		m.gets--
		told = append(told, "Get: "+got)
	}
	if method == "ShutDownWithDrain" {
		m.drains++
	}
	if idle := len(m.line)+len(m.processing) == 0; idle || what == "ShutDown" {
		told = append(told, slices.Repeat([]string{"ShutDownWithDrain"}, m.drains)...)
		m.drains = 0
	}
	own := what
	if method == "Get" || method == "ShutDownWithDrain" {
		own = what + ": waits"
		at := slices.IndexFunc(told, func(one string) bool { return strings.HasPrefix(one, what) })
		if at >= 0 {
			own = told[at]
			told = slices.Delete(told, at, at+1)
		}
	}
	return strings.Join(append([]string{own}, returns(told)...), ", and ")
}

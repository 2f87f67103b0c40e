package starts_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/exercises/3-starts"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// What several tests may point to.
const (
	lockIsHeld = "the belief that a lock may be held while somebody else's code runs. done may call Start, which needs it"
	idle       = "the belief that goroutines which wait for work cost nothing. Nobody ends these, and each Starts has some"
	looking    = "the belief that to look from time to time is to wait. What has changed is seen late"
	notAtWork  = "the belief that a task has ended when its context has. It hears of that, and has something to clean up"
	roomIsKept = "the belief that a task returns in one way. Each way out gives back the key and the room"
	endOfEach  = "the belief that the end is that of each task. A start that is given up halfway leaves a process that " +
		"nobody knows"
	toldLater = "the belief that what has returned was told. done may still be at it"
)

// fair is what each test asks for beside its own.
var fair = []exercise.Option{exercise.HangMeans(lockIsHeld), exercise.LeakMeans(idle)}

// errFailed is what a failed task fails with.
var errFailed = errors.New("no such command")

// A scene is a Starts in a bubble, with tasks that return when the story says so.
type scene struct {
	s       *Starts
	run     context.Context // that of the run which calls Start
	endsRun context.CancelFunc
	gates   map[string]chan func() error // a task waits for what it is to do last

	mu      sync.Mutex
	events  []string // since the last step
	running map[string]int
	again   bool // done calls Start again
	slow    bool // done takes an hour
}

// clues are beliefs, by what came of the last step.
type clues map[string]string

// play makes calls with Starts of its own, and expects what comes of each. A story has a semicolon between two:
//
//	New(2)
//	Start a, b, c: a begins, b begins     three calls without a pause, which return true
//	Start a: Start returns false
//	Start another b: ...                  another task for the key b
//	a returns: done(a, nil), c begins     the task of a returns nil
//	a fails: done(a, its error)
//	a panics: done(a, its panic)
//	Cancel a: the context of a ends
//	Cancel a, and b returns: ...          both without a pause
//	Stop: Stop returns
//	done calls Start                      from now on, for the same key
//	done takes an hour                    from now on
//	an hour passes
//
// After a failure the tasks that are left return. about is what the failure of a step points to.
func play(t *testing.T, story string, about clues) {
	t.Helper()
	oneAtATime(t)
	exercise.Bubble(t, func(*testing.T) {
		first, steps, _ := strings.Cut(story, "; ")
		most := 0
		if _, err := fmt.Sscanf(first, "New(%d)", &most); err != nil {
			panic(err)
		}
		s := newScene(most)
		told := []string{first}
		for step := range strings.SplitSeq(steps, "; ") {
			told = append(told, step)
			what, want, _ := strings.Cut(step, ": ")
			got := s.step(what)
			if got == want {
				continue
			}
			later := s.anHourLater()
			belief, single := about[got+later]
			if !single {
				belief = about[got]
			}
			exercise.Report(t, exercise.Verdict{
				Expected: strings.Join(told, "; "),
				Happened: "what came of the last step: " + orNothing(got) + later,
				PointsTo: belief,
			})
			break
		}
		s.end()
	})
	if t.Failed() {
		t.FailNow()
	}
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

// oneAtATime has one goroutine run until it waits, and then the next: who comes first is not up to chance.
func oneAtATime(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 { // to set it stops the world
		return
	}
	n := runtime.GOMAXPROCS(1)
	t.Cleanup(func() { runtime.GOMAXPROCS(n) })
}

func newScene(most int) *scene {
	s := &scene{gates: map[string]chan func() error{}, running: map[string]int{}}
	for _, key := range []string{"a", "b", "c", "d", "e", "f"} {
		s.gates[key] = make(chan func() error)
	}
	s.run, s.endsRun = context.WithCancel(context.Background())
	s.s = New(most, s.done)
	return s
}

func (s *scene) happens(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, fmt.Sprintf(format, args...))
}

// done is what is told of each task.
func (s *scene) done(key string, err error) {
	switch {
	case err == nil:
		s.happens("done(%s, nil)", key)
	case errors.Is(err, errFailed):
		s.happens("done(%s, its error)", key)
	case strings.Contains(err.Error(), "index out of range"):
		s.happens("done(%s, its panic)", key)
	default:
		s.happens("done(%s, %v)", key, err)
	}
	s.mu.Lock()
	again, slow := s.again, s.slow
	s.again = false
	s.mu.Unlock()
	if again {
		s.start(key, s.task(key))
	}
	if slow {
		time.Sleep(time.Hour)
		s.happens("done returns")
	}
}

// start is one call of Start, whose result is told unless it is true.
func (s *scene) start(key string, task func(context.Context) error) {
	if !s.s.Start(s.run, strings.TrimPrefix(key, "another "), task) {
		s.happens("Start returns false")
	}
}

// task tells what happens to it, and does last what it is told at its gate.
func (s *scene) task(key string) func(context.Context) error {
	name := key
	key = strings.TrimPrefix(key, "another ")
	return func(ctx context.Context) error {
		s.happens("%s begins", name)
		s.count(key, 1)
		defer s.count(key, -1)
		var last func() error
		select {
		case last = <-s.gates[key]:
		case <-ctx.Done():
			s.happens("the context of %s ends", key)
			last = <-s.gates[key]
		}
		return last()
	}
}

func (s *scene) count(key string, by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[key] += by
}

// runs says how often the task of a key is at work.
func (s *scene) runs(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running[key]
}

// step does something, and returns what comes of it.
func (s *scene) step(what string) string {
	switch what {
	case "done calls Start":
		s.again = true
	case "done takes an hour":
		s.slow = true
	case "an hour passes":
		time.Sleep(time.Hour)
	default:
		s.call(what)
	}
	synctest.Wait()
	return s.came()
}

// came returns the events since the last step, those of one moment in the order of their names.
func (s *scene) came() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.Sort(s.events)
	told := strings.Join(s.events, ", ")
	s.events = nil
	return told
}

// call makes the calls of a step, in a goroutine of its own: it may have to wait.
func (s *scene) call(what string) {
	returned := make(chan bool)
	go func() {
		defer close(returned)
		defer func() {
			if p := recover(); p != nil {
				where, _, _ := exercise.Place(string(debug.Stack()))
				s.happens("there is a panic: %v, at %s", p, where)
			}
		}()
		for one := range strings.SplitSeq(what, ", and ") {
			s.one(one)
		}
	}()
	synctest.Wait()
	select {
	case <-returned:
	default:
		if method, _, _ := strings.Cut(what, " "); method != "Stop" {
			s.happens("%s does not return", method)
		}
	}
}

// one is a call, or what a task does.
func (s *scene) one(what string) {
	subject, object, _ := strings.Cut(what, " ")
	switch subject {
	case "Start":
		for key := range strings.SplitSeq(object, ", ") {
			s.start(key, s.task(key))
		}
	case "Cancel":
		s.s.Cancel(object)
	case "Stop":
		s.s.Stop()
		s.happens("Stop returns")
	default:
		if s.runs(subject) == 0 {
			s.happens("%s does not run", subject)
			return
		}
		s.gates[subject] <- map[string]func() error{
			"returns": func() error { return nil },
			"fails":   func() error { return fmt.Errorf("%s: %w", subject, errFailed) },
			"panics":  func() error { return []error{nil}[len(object)] },
		}[object]
	}
}

// anHourLater tells what has happened meanwhile.
func (s *scene) anHourLater() string {
	time.Sleep(time.Hour)
	synctest.Wait()
	if later := s.came(); later != "" {
		return "; within an hour: " + later
	}
	return ""
}

// end has all tasks return, until none is left.
func (s *scene) end() {
	s.mu.Lock()
	s.again = false
	s.mu.Unlock()
	s.endsRun()
	for left := true; left; {
		left = false
		for key, gate := range s.gates {
			for s.runs(key) > 0 {
				gate <- func() error { return nil }
				left = true
				synctest.Wait()
			}
		}
	}
	if s.slow {
		time.Sleep(24 * time.Hour)
	}
	synctest.Wait()
}

// A model is a Starts on paper: what has to come of each call.
type model struct {
	most             int
	running, waiting []string
	ended            map[string]bool // contexts
	stops, stopped   bool
}

// everyHistory plays all ways to make so many of these calls, in which a is started first.
func everyHistory(t *testing.T, most, length int, calls ...string) {
	t.Helper()
	histories := [][]string{{"Start a"}}
	for at := 0; at < len(histories); at++ {
		made := histories[at]
		m := &model{most: most, ended: map[string]bool{}}
		story := []string{fmt.Sprintf("New(%d)", most)}
		for _, call := range made {
			story = append(story, m.step(call))
		}
		for _, call := range calls {
			if len(made) < length && m.can(call) {
				histories = append(histories, append(slices.Clone(made), call))
			}
		}
		if len(made) < length {
			continue // the longer ones begin with it
		}
		for len(m.running) > 0 {
			story = append(story, m.step(m.running[0]+" returns"))
		}
		play(t, strings.Join(story, "; "), nil)
	}
}

// can says whether this can be done now.
func (m *model) can(what string) bool {
	subject, _, _ := strings.Cut(what, " ")
	switch subject {
	case "Start", "Cancel":
		return true
	case "Stop":
		return !m.stops
	}
	return slices.Contains(m.running, subject)
}

// step does something, and returns it with what comes of it as [play] writes it.
func (m *model) step(what string) string {
	subject, key, _ := strings.Cut(what, " ")
	is := func(other string) bool { return other == key }
	var events []string
	switch subject {
	case "Start":
		if m.stops || slices.Contains(m.running, key) || slices.Contains(m.waiting, key) {
			events = append(events, "Start returns false")
		} else {
			m.waiting = append(m.waiting, key)
		}
	case "Cancel":
		m.waiting = slices.DeleteFunc(m.waiting, is)
		if slices.Contains(m.running, key) && !m.ended[key] {
			m.ended[key] = true
			events = append(events, "the context of "+key+" ends")
		}
	case "Stop":
		m.stops, m.waiting = true, nil
	default:
		result := map[string]string{"returns": "nil", "fails": "its error", "panics": "its panic"}[key]
		events = append(events, fmt.Sprintf("done(%s, %s)", subject, result))
		m.running = slices.DeleteFunc(m.running, func(other string) bool { return other == subject })
		delete(m.ended, subject)
	}
	for len(m.running) < m.most && len(m.waiting) > 0 {
		events = append(events, m.waiting[0]+" begins")
		m.running, m.waiting = append(m.running, m.waiting[0]), m.waiting[1:]
	}
	if m.stops && !m.stopped && len(m.running) == 0 {
		m.stopped = true
		events = append(events, "Stop returns")
	}
	slices.Sort(events)
	return strings.TrimSuffix(what+": "+strings.Join(events, ", "), ": ")
}

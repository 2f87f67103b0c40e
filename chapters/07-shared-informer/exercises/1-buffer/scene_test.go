package buffer_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/exercises/1-buffer"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// A scene is a Pump in a bubble, with somebody who sends and somebody who receives. What they do is done when everybody
// waits: what happens at the same moment is not promised.
type scene[T any] struct {
	t        *testing.T
	in       chan T
	out      chan []T
	over     chan struct{} // closed when the story is over, for those who still send or receive
	closed   bool          // in
	returned bool          // Pump
	failed   bool
}

// pumped plays a story with a Pump of its own, and ends that.
func pumped[T any](t *testing.T, story func(*scene[T])) {
	t.Helper()
	exercise.Bubble(t, func(*testing.T) {
		s := newScene(t, make(chan T))
		story(s)
		s.end()
	})
}

// newScene starts a Pump in the bubble of its caller.
func newScene[T any](t *testing.T, in chan T) *scene[T] {
	s := &scene[T]{t: t, in: in, out: make(chan []T), over: make(chan struct{})}
	go func() { Pump(s.in, s.out); s.returned = true }()
	synctest.Wait()
	return s
}

// end closes in, and gives a Pump that should have returned at once what keeps it: time, and somebody who receives.
func (s *scene[T]) end() {
	close(s.over)
	synctest.Wait()
	if !s.closed {
		s.close()
	}
	for n := 0; n < 100 && !s.returned; n++ {
		s.receive()
	}
}

// expect is exercise.Expect in a bubble: the scene has to end all the same.
func (s *scene[T]) expect(ok bool, v exercise.Verdict) {
	s.t.Helper()
	if !ok && !s.failed {
		s.failed = true
		exercise.Report(s.t, v)
	}
}

// send returns how many were taken when nothing happens any more.
func (s *scene[T]) send(all ...T) (taken int) {
	go func() {
		for _, element := range all {
			select {
			case s.in <- element:
				taken++
			case <-s.over:
				return
			}
		}
	}()
	synctest.Wait()
	return taken
}

func (s *scene[T]) close() {
	s.closed = true
	close(s.in)
	synctest.Wait()
}

// look receives what Pump gives at this moment.
func (s *scene[T]) look() (slice []T, what outcome) {
	defer synctest.Wait()
	select {
	case slice, open := <-s.out:
		if !open {
			return nil, closed
		}
		return slice, received
	default:
		return nil, nothing
	}
}

// receive has an hour of virtual time.
func (s *scene[T]) receive() (slice []T, what outcome) {
	if slice, what = s.look(); what != nothing {
		return slice, what
	}
	time.Sleep(time.Hour)
	synctest.Wait()
	if slice, what = s.look(); what == received {
		return slice, late
	}
	return slice, what
}

// outcome is what comes of a receive.
type outcome string

const (
	nothing  outcome = "nothing"
	received outcome = "received"
	late     outcome = "later "
	closed   outcome = "closed"
)

// show writes what comes of a receive.
func show[T any](slice []T, what outcome) string {
	switch what {
	case received:
		return fmt.Sprint(slice)
	case late:
		return string(late) + fmt.Sprint(slice)
	}
	return string(what)
}

// play plays a script, and returns what came of it. A number is sent, "<" is a receive, "<<" is one that goes on
// waiting while the script does, and x closes in.
//
//	1 2 < < x    1 2 <[1 2] <nothing x(returned closed)
//	<< 1 2 <     << 1 [1] 2 <[2]
func play(s *scene[int], script string) string {
	var told []string
	for _, word := range strings.Fields(script) {
		switch word {
		case "<":
			told = append(told, "<"+show(s.receive()))
		case "<<":
			told = append(told, word)
			go func() {
				select {
				case slice, open := <-s.out:
					what := received
					if !open {
						what = closed
					}
					told = append(told, show(slice, what))
				case <-s.over:
				}
			}()
			synctest.Wait()
		case "x":
			told = append(told, word) // before what a receiver tells that waits
			s.close()
			told = append(told, ended(s))
		default:
			var n int
			fmt.Sscan(word, &n)
			before := strings.Join(told, " ")
			told = append(told, word)
			if s.send(n) == 0 {
				return strings.TrimPrefix(before+", and then "+word+" is not taken", ", and then ")
			}
		}
		if s.returned && !s.closed {
			return strings.Join(append(told, "Pump returned"), " ")
		}
	}
	return strings.Join(told, " ")
}

// ended is how a Pump ended when in was closed.
func ended(s *scene[int]) string {
	how := "returned"
	if !s.returned {
		how = "did not return"
	}
	slice, what := s.look()
	if what == nothing {
		return "(" + how + ", out is open)"
	}
	return "(" + how + ", " + show(slice, what) + ")"
}

// clues are beliefs, by what single them out.
type clues map[string]string

// comes plays a script with a Pump of its own, and expects what comes of it.
func comes(t *testing.T, script, want string, about clues) {
	t.Helper()
	pumped(t, func(s *scene[int]) {
		got := play(s, script)
		s.expect(got == want, exercise.Verdict{
			Expected: fmt.Sprintf("a number is sent, %s: %s", legend(script), want),
			Happened: "it was " + got,
			PointsTo: about[got],
		})
	})
	if t.Failed() {
		t.FailNow()
	}
}

// legend explains the signs of a script.
func legend(script string) string {
	signs := []string{"< is a receive"}
	if strings.Contains(script, "<<") {
		signs = append(signs, "<< one that goes on waiting")
	}
	if strings.Contains(script, "x") {
		signs = append(signs, "x closes in")
	}
	return strings.Join(signs, ", ")
}

// years are 68, 2 to the power of 31 seconds. A bubble has 262 of them before its clock ends.
const years = 1 << 31 * time.Second

// passes lets years of virtual time pass, which takes no time where everybody waits. Otherwise it ends when late.
func passes(late *atomic.Bool) (passed time.Duration) {
	for passed < years && !late.Load() {
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
		if runs && strings.Contains(calls, "/1-buffer/") {
			return true
		}
	}
	return false
}

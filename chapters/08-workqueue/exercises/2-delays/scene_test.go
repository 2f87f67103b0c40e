package delays_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/exercises/2-delays"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// leaves is what a goroutine points to that is there after Stop.
var leaves = exercise.LeakMeans("the belief that a goroutine ends when nobody needs it any more. One that waits for " +
	"a timer or for a channel is there until it comes")

// A scene is a Delays of strings in a bubble, and what it adds. An add of an item whose name begins with a capital
// letter runs until the scene is told to let it return. It waits for a channel and does not sleep: while a goroutine of
// an answer waits for a lock until that add has returned, no time passes in a bubble.
type scene struct {
	t       *testing.T
	d       *Delays[string]
	began   time.Time
	meets   func(item string) // what add does besides, or nil
	release chan struct{}     // closed when adds return
	holds   bool              // an add may be running
	free    bool              // release is closed
	stopped bool
	failed  bool

	mu    sync.Mutex // add may be called in any goroutine
	added []call
}

// A call of add.
type call struct {
	after time.Duration // after the scene has begun
	item  string
}

func (c call) String() string { return fmt.Sprintf("%s at %v", c.item, c.after) }

// delayed tells a story with a Delays of its own, and stops that. meets is nil, or what add does besides.
func delayed(t *testing.T, meets func(s *scene, item string), story func(*scene)) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // what another goroutine is to do is not done by chance
	exercise.Bubble(t, func(*testing.T) {
		s := &scene{t: t, began: time.Now(), release: make(chan struct{})}
		if meets != nil {
			s.meets = func(item string) { meets(s, item) }
		}
		s.d = New(s.add)
		synctest.Wait()
		story(s)
		s.letReturn()
		if !s.stopped {
			s.stop()
		}
	})
	if t.Failed() {
		t.FailNow()
	}
}

// add is what Delays calls.
func (s *scene) add(item string) {
	s.mu.Lock()
	s.added = append(s.added, call{s.now(), item})
	s.mu.Unlock()
	if s.meets != nil {
		s.meets(item)
	}
	if capital(item) {
		<-s.release
	}
}

// letReturn has the adds return that run, and holds none from now on.
func (s *scene) letReturn() {
	if !s.free {
		close(s.release)
		s.settle(never)
		s.free, s.holds = true, false
	}
}

// settle has the other goroutines run until they wait, or until something is done.
func (s *scene) settle(done func() bool) {
	if !s.holds {
		synctest.Wait()
	}
	for n := 0; s.holds && n < 1000 && !done(); n++ {
		runtime.Gosched() // synctest.Wait would wait for those that wait for a lock
	}
}

func never() bool { return false }

// now is the time since the scene has begun.
func (s *scene) now() time.Duration { return time.Since(s.began) }

// until has virtual time pass until so much has passed since the scene began.
func (s *scene) until(after time.Duration) {
	time.Sleep(after - s.now())
	s.settle(never)
}

// calls are those of add until now, by time and then by name: the order in a moment is not promised.
func (s *scene) calls() []call {
	s.mu.Lock()
	defer s.mu.Unlock()
	sorted := slices.Clone(s.added)
	slices.SortStableFunc(sorted, func(a, b call) int {
		if a.after != b.after {
			return int(a.after - b.after)
		}
		return strings.Compare(a.item, b.item)
	})
	return sorted
}

// told is what add was called with until now.
func (s *scene) told() string {
	calls := s.calls()
	if len(calls) == 0 {
		return "nothing"
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprintf("%q", calls), `" "`, ", "), `[]"`)
}

// expect is exercise.Expect in a bubble: the scene has to end all the same.
func (s *scene) expect(ok bool, v exercise.Verdict) {
	s.t.Helper()
	if !ok && !s.failed {
		s.failed = true
		exercise.Report(s.t, v)
	}
}

// addAfter has another goroutine call AddAfter, and says whether that returned in this moment.
func (s *scene) addAfter(item string, delay time.Duration) bool {
	s.holds = s.holds || capital(item) && !s.free
	var returned atomic.Bool
	go func() { s.d.AddAfter(item, delay); returned.Store(true) }()
	s.settle(returned.Load)
	return returned.Load()
}

// stop calls Stop, and says whether it has returned. If no add runs, then it returns in the moment after.
func (s *scene) stop() bool {
	s.stopped = true
	var returned atomic.Bool
	go func() {
		defer func() {
			if p := recover(); p != nil {
				s.expect(false, exercise.Verdict{
					Expected: "Stop is called, and called again: it returns",
					Happened: fmt.Sprintf("it panicked: %v", p),
				})
			}
		}()
		s.d.Stop()
		returned.Store(true)
	}()
	if !s.holds {
		time.Sleep(time.Nanosecond)
	}
	s.settle(returned.Load)
	return returned.Load()
}

// play plays a script, and lets time pass until all have come. "a+3s" is AddAfter of a with three seconds, "@2s" lets
// time pass until two seconds after the beginning, "return" lets adds return, and "stop" calls Stop.
func (s *scene) play(script string) {
	for _, word := range strings.Fields(script) {
		item, delay, adds := strings.Cut(word, "+")
		at, waits := strings.CutPrefix(word, "@")
		switch {
		case adds:
			returned := s.addAfter(item, duration(delay))
			s.expect(returned || capital(item) && duration(delay) <= 0, exercise.Verdict{
				Expected: fmt.Sprintf("%s: at %v AddAfter of %s with %s returns at once", script, s.now(), item, delay),
				Happened: "it waited",
			})
		case waits:
			s.until(duration(at))
		case word == "return":
			s.letReturn()
		default:
			s.stop()
		}
	}
	s.until(s.now() + time.Minute)
}

func capital(item string) bool { return item[0] >= 'A' && item[0] <= 'Z' }

func duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		panic(err)
	}
	return d
}

// clues are beliefs, by what single them out.
type clues map[string]string

// comes plays a script with a Delays of its own, and expects that add is called as wanted.
func comes(t *testing.T, script string, about clues, want string) {
	t.Helper()
	delayed(t, nil, func(s *scene) {
		s.play(script)
		got := s.told()
		s.expect(got == want, exercise.Verdict{
			Expected: fmt.Sprintf("%s, where %s: add is called with %s", script, legend(script), want),
			Happened: "it was " + got,
			PointsTo: about[got],
		})
	})
}

// legend explains the signs of a script, by those that are in it.
func legend(script string) string {
	var signs []string
	for _, word := range strings.Fields(script) {
		if item, delay, adds := strings.Cut(word, "+"); adds {
			signs = append(signs, fmt.Sprintf("%s is AddAfter of %s with %s", word, item, delay))
			break
		}
	}
	if strings.Contains(script, "@") {
		signs = append(signs, "@2s waits until the time is 2s")
	}
	if strings.ToLower(script) != script {
		signs = append(signs, "an add of a capital letter runs until return")
	}
	return strings.Join(signs, ", ")
}

// goroutines counts those of this process.
func goroutines() int {
	synctest.Wait()
	return runtime.NumGoroutine()
}

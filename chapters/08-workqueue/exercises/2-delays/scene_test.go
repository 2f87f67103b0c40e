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

// long is how long add takes with an item whose name begins with a capital letter.
const long = 10 * time.Second

// A scene is a Delays of strings in a bubble, and what it adds.
type scene struct {
	t       *testing.T
	d       *Delays[string]
	began   time.Time
	meets   func(item string) // what add does besides, or nil
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
	exercise.Bubble(t, func(*testing.T) {
		s := &scene{t: t, began: time.Now()}
		if meets != nil {
			s.meets = func(item string) { meets(s, item) }
		}
		s.d = New(s.add)
		synctest.Wait()
		story(s)
		if !s.stopped {
			s.stop()
		}
		time.Sleep(2 * long) // for an add that still runs
		synctest.Wait()
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
	if item[0] >= 'A' && item[0] <= 'Z' {
		time.Sleep(long)
	}
}

// now is the time since the scene has begun.
func (s *scene) now() time.Duration { return time.Since(s.began) }

// until has virtual time pass until so much has passed since the scene began.
func (s *scene) until(after time.Duration) {
	time.Sleep(after - s.now())
	synctest.Wait()
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
	var returned atomic.Bool
	go func() { s.d.AddAfter(item, delay); returned.Store(true) }()
	synctest.Wait()
	return returned.Load()
}

// stop calls Stop. It returns in the moment after.
func (s *scene) stop() {
	s.stopped = true
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
	}()
	time.Sleep(time.Nanosecond)
	synctest.Wait()
}

// play plays a script, and lets time pass until all have come. "a+3s" is AddAfter of a with three seconds, "@2s" lets
// time pass until two seconds after the beginning, and "stop" calls Stop.
func (s *scene) play(script string) {
	for _, word := range strings.Fields(script) {
		item, delay, adds := strings.Cut(word, "+")
		at, waits := strings.CutPrefix(word, "@")
		switch {
		case adds:
			returned := s.addAfter(item, duration(delay))
			s.expect(returned || s.capital(item, delay), exercise.Verdict{
				Expected: fmt.Sprintf("%s: at %v AddAfter of %s with %s returns at once", script, s.now(), item, delay),
				Happened: "it waited",
			})
		case waits:
			s.until(duration(at))
		default:
			s.stop()
		}
	}
	s.until(s.now() + time.Minute)
}

// capital says whether AddAfter calls an add that takes its time.
func (s *scene) capital(item, delay string) bool {
	return strings.ToUpper(item) == item && duration(delay) <= 0
}

func duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		panic(err)
	}
	return d
}

// clues are beliefs, by what single them out.
type clues map[string]string

// comes plays a script with a Delays of its own, and expects that add is called as wanted, or in another way that is as
// right.
func comes(t *testing.T, script string, about clues, want string, or ...string) {
	t.Helper()
	delayed(t, nil, func(s *scene) {
		s.play(script)
		got := s.told()
		expected := fmt.Sprintf("%s, where %s: add is called with %s", script, legend(script), want)
		for _, other := range or {
			expected += ", or " + other
		}
		s.expect(got == want || slices.Contains(or, got), exercise.Verdict{
			Expected: expected,
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
		signs = append(signs, fmt.Sprintf("add takes %v with a capital letter", long))
	}
	return strings.Join(signs, ", ")
}

// goroutines counts those of this process.
func goroutines() int {
	synctest.Wait()
	return runtime.NumGoroutine()
}

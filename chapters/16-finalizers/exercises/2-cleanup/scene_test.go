package cleanup_test

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/exercises/2-cleanup"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

const (
	uid   = types.UID("b1c9")
	grace = 30 * time.Second
	whole = "hello, bye" // the log at the end
	most  = 8            // how often Run is called before it is said never to rest
)

const runWaits = "the belief that a Run may wait for the end of a process. It has one of few workers, and the " +
	"others' objects wait, too"

// fair is what each test asks for beside its own.
var fair = []exercise.Option{exercise.HangMeans(runWaits)}

var (
	errOutage = errors.New("no space left on device")
	errRuns   = errors.New("the process runs")
	// errTooLate is what a Run returns here that did not return by itself.
	errTooLate = errors.New("too late")
)

// A scene is a machine with one process, and an archive.
type scene struct {
	c *Cleanup
	p Process

	mu      sync.Mutex // is held in each call, and by a scene whose Run does not return
	state   State
	log     string
	archive *string

	changes int               // of all this
	asked   bool              // the process has been asked to stop, or was killed
	told    []string          // since the last step
	fails   map[string]string // how the next call of a method does: "", "halfway", "at the end", "lost"
	before  map[string]string // what happens when a method is called next
	onCall  func(method string) (fails, lost bool)
}

// clues are beliefs, by what came of the last step.
type clues map[string]string

// play takes the steps of a story. A semicolon is between two, and what has to come of one stands behind its colon:
//
//	It runs, It has ended, There is nothing
//	Runs: Stop                    Run, and again as long as that has changed something, up to an error or true
//	it ends
//	Keep fails                    the next call of Keep does, or of another method, and has no effect
//	the answer of Keep is lost    the next call of Keep has its effect, and returns an error
//	Forget fails halfway          a part of the log is gone, and the folder is there
//	Forget fails at the end       all of the log is gone, and the folder is there
//	at Stop: it ends              right before the next Stop is carried out
//	another controller            from now on another Cleanup over the same world
//	29 seconds pass
//
// What comes of Runs: Stop and Kill, if a process is there to hear it; Keep with the log, Forget, if there is a folder;
// done, when Run has returned true; its error, or "its error beside true". The same twice in a row is told once. When
// the Grace has passed, a Stop beside something else is not told.
func play(t *testing.T, story string, about clues) {
	t.Helper()
	exercise.Bubble(t, func(*testing.T) {
		s := newScene()
		var told []string
		for step := range strings.SplitSeq(story, "; ") {
			what, want, _ := strings.Cut(step, ": ")
			told = append(told, step)
			if method, isAt := strings.CutPrefix(what, "at "); isAt {
				s.before[method] = want
				continue
			}
			if got := s.step(what); got != want {
				exercise.Report(t, exercise.Verdict{
					Expected: legend(strings.Join(told, "; ")),
					Happened: "what came of the last step: " + orNothing(got),
					PointsTo: about[got],
				})
				return
			}
		}
	})
	if t.Failed() {
		t.FailNow()
	}
}

// legend explains what a story calls Runs, and how long the Grace is.
func legend(story string) string {
	if strings.Contains(story, " pass") {
		return story + " (Grace is 30 seconds)"
	}
	return story + " (Runs: Run, until one fails, returns true or changes nothing)"
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

func newScene() *scene {
	s := &scene{p: Process{UID: uid, Deleted: time.Now(), Grace: grace}, state: Nothing,
		fails: map[string]string{}, before: map[string]string{}}
	s.c = New(s)
	return s
}

// step does something, and returns what comes of it.
func (s *scene) step(what string) string {
	s.told = nil
	late := time.Since(s.p.Deleted) > grace
	subject, rest, _ := strings.Cut(what, " ")
	switch {
	case what == "It runs":
		s.state, s.log = Running, "hello"
	case what == "It has ended", what == "it ends":
		s.state, s.log = Ended, whole
		s.changes++
	case what == "There is nothing":
	case what == "Runs":
		s.rest()
	case strings.HasPrefix(what, "the answer of "):
		s.fails[strings.Fields(what)[3]] = "lost"
	case strings.HasPrefix(rest, "fails"):
		s.fails[subject] = strings.TrimPrefix(what, subject+" ")
	case what == "another controller":
		s.c = New(s)
	case strings.HasSuffix(what, " pass"):
		d, err := time.ParseDuration(strings.NewReplacer(" seconds pass", "s", " hours pass", "h").Replace(what))
		if err != nil {
			panic(err)
		}
		time.Sleep(d)
	default:
		panic("no step: " + what)
	}
	stop := func(told string) bool { return told == "Stop" }
	if late && slices.ContainsFunc(s.told, func(told string) bool { return !stop(told) }) {
		s.told = slices.DeleteFunc(s.told, stop)
	}
	return strings.Join(slices.Compact(s.told), ", ")
}

// rest runs until a Run has returned true or an error, or has changed nothing.
func (s *scene) rest() {
	for range most {
		changes := s.changes
		done, err := s.run()
		switch {
		case errors.Is(err, errOutage) && done:
			s.happens("its error beside true")
		case errors.Is(err, errOutage):
			s.happens("its error")
		case err != nil && err != errTooLate:
			s.happens("the error %.60q", err)
		case done && err == nil:
			s.happens("done")
		}
		if done || err != nil || changes == s.changes {
			return
		}
	}
	s.happens("and there is no end of it")
}

// run is one Run, which has to return while nothing else happens. If it does not, the process ends.
func (s *scene) run() (done bool, err error) {
	returned := make(chan struct{})
	go func() {
		defer close(returned)
		defer func() {
			if p := recover(); p != nil {
				where, _, _ := exercise.Place(string(debug.Stack()))
				err = fmt.Errorf("a panic: %v, at %s", p, where)
			}
		}()
		done, err = s.c.Run(s.p)
	}()
	synctest.Wait()
	select {
	case <-returned:
		return done, err
	default:
	}
	s.mu.Lock()
	told := slices.Clone(s.told)
	s.state, s.log = Ended, whole
	s.mu.Unlock()
	time.Sleep(100 * time.Hour)
	<-returned
	s.told = append(told, "Run does not return")
	return false, errTooLate
}

func (s *scene) happens(format string, args ...any) {
	s.told = append(s.told, fmt.Sprintf(format, args...))
}

// call is one of a method: what happens right before, whether it has its effect, and what it returns.
func (s *scene) call(method string, of types.UID) (effect bool, err error) {
	if before := s.before[method]; before != "" {
		delete(s.before, method)
		told := s.told
		s.step(before)
		s.told = told
	}
	if of != uid {
		s.happens("%s(%q)", method, of)
		return false, nil
	}
	how, fails := s.fails[method]
	delete(s.fails, method)
	lost := how == "lost"
	if s.onCall != nil {
		fails, lost = s.onCall(method)
	}
	if fails {
		err = fmt.Errorf("%s: %w", strings.ToLower(method), errOutage)
	}
	switch {
	case how == "fails halfway":
		s.log = strings.TrimPrefix(s.log, "hello, ")
	case how == "fails at the end":
		s.log = ""
	}
	return !fails || lost, err
}

// Look implements [World].
func (s *scene) Look(of types.UID) (State, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.call("Look", of)
	if err != nil || of != uid {
		return Nothing, err
	}
	return s.state, nil
}

// Stop implements [World].
func (s *scene) Stop(of types.UID) error { return s.ask("Stop", of) }

// Kill implements [World].
func (s *scene) Kill(of types.UID) error { return s.ask("Kill", of) }

func (s *scene) ask(how string, of types.UID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	effect, err := s.call(how, of)
	if s.state != Running && err == nil {
		return ErrEnded
	}
	if effect && s.state == Running {
		s.happens("%s", how)
		if !s.asked {
			s.changes++
		}
		s.asked = true
	}
	return err
}

// Log implements [World].
func (s *scene) Log(of types.UID) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.call("Log", of); err != nil || of != uid {
		return "", err
	}
	return s.log, nil
}

// Kept implements [World].
func (s *scene) Kept(of types.UID) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.call("Kept", of); err != nil || of != uid {
		return false, err
	}
	return s.archive != nil, nil
}

// Keep implements [World].
func (s *scene) Keep(of types.UID, log string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	effect, err := s.call("Keep", of)
	if effect {
		s.happens("Keep %q", log)
		s.archive = &log
		s.changes++
	}
	return err
}

// Forget implements [World].
func (s *scene) Forget(of types.UID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	effect, err := s.call("Forget", of)
	switch {
	case !effect || s.state == Nothing:
		return err
	case s.state == Running:
		s.happens("Forget is refused")
		return errRuns
	}
	s.happens("Forget")
	s.state, s.log = Nothing, ""
	s.changes++
	return err
}

package expectations_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/exercises/1-expectations"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// timeout is that of every scene.
const timeout = 5 * time.Minute

// What several tests may point to.
const (
	answerFirst = "the belief that an event comes after the answer to its request. The watch is another connection, and " +
		"nothing orders the two"
	failureSeen = "the belief that a failed request is like any other. No event comes of it, and nobody but the sender " +
		"can know"
	neverSent = "the belief that what was to be created will be seen. A request that was never sent leads to no event, as " +
		"one that has failed"
	oneForAll  = "the belief that a failure says something about the other requests. Their events are still on the way"
	lockIsHeld = "the belief that a lock may be held while a request is on its way. The event's handler needs the lock, and " +
		"the answer may take seconds"
)

var lockHeld = exercise.HangMeans(lockIsHeld)

// A scene is the expectations of a controller, in a bubble, and its client.
type scene struct {
	t      *testing.T
	e      *Expectations
	belief string
	told   []string // the steps so far
	left   int      // the steps that are still to come

	mu      sync.Mutex // guards what follows: whoever creates may send several requests at once
	refused string     // the name or UID whose request fails
	early   bool       // events come before answers
	sent    []string
	unsent  string   // says so, if some of the last requests were left out
	made    []string // what was sent and has not failed
}

// errRefused is what a failed request fails with.
var errRefused = errors.New("quota exceeded")

// play takes the steps of a story, each of which ends with what comes of it, where it returns something:
//
//	ExpectCreations(north/web, web-0)
//	Satisfied(north/web) is false
//	Create(north/web, web-0, web-1)                       sends two requests
//	Create(north/web, web-0, web-1), whose events come first
//	Create(north/web, web-0, web-1), and web-1 fails
//	each event comes                                      of what was sent, and has not failed
//	3m pass
//
// belief is what a failure of the last step points to.
func play(t *testing.T, story, belief string) {
	t.Helper()
	exercise.Bubble(t, func(*testing.T) {
		s := &scene{t: t, e: New(timeout), belief: belief}
		if strings.Contains(story, " pass") {
			s.told = append(s.told, "New(5m)")
		}
		steps := strings.Split(story, "; ")
		for i, step := range steps {
			s.left = len(steps) - 1 - i
			if !s.take(step) {
				break
			}
		}
	})
	if t.Failed() {
		t.FailNow()
	}
}

// take takes a step, and says whether it came out as it should.
func (s *scene) take(step string) (ok bool) {
	if step == "each event comes" {
		return s.eachEvent()
	}
	s.told = append(s.told, step)
	if pause, ok := strings.CutSuffix(step, " pass"); ok {
		d, err := time.ParseDuration(pause)
		if err != nil {
			panic(err)
		}
		time.Sleep(d)
		synctest.Wait()
		return true
	}
	call, how, _ := strings.Cut(step, ")")
	method, list, _ := strings.Cut(call, "(")
	arguments := strings.Split(list, ", ")
	set, children := arguments[0], arguments[1:]
	switch method {
	case "ExpectCreations":
		s.e.ExpectCreations(set, children...)
	case "CreationObserved":
		s.e.CreationObserved(set, children[0])
	case "ExpectDeletions":
		s.e.ExpectDeletions(set, uids(children)...)
	case "DeletionObserved":
		s.e.DeletionObserved(set, types.UID(children[0]))
	case "Forget":
		s.e.Forget(set)
	case "Satisfied":
		if got := fmt.Sprint(s.e.Satisfied(set)); how != " is "+got {
			return s.fail("Satisfied(%s) was %s%s", set, got, s.unsent)
		}
	case "Create", "Delete":
		return s.request(method, how, set, children)
	default:
		panic("no step: " + step)
	}
	return true
}

// fail reports what came of the last step.
func (s *scene) fail(format string, args ...any) (ok bool) {
	v := exercise.Verdict{Expected: strings.Join(s.told, "; "), Happened: fmt.Sprintf(format, args...)}
	if s.left == 0 {
		v.PointsTo = s.belief
	}
	exercise.Report(s.t, v)
	return false
}

// request has children created or deleted.
func (s *scene) request(method, how, set string, children []string) (ok bool) {
	refused, fails := strings.CutPrefix(how, ", and ")
	s.refused = strings.TrimSuffix(refused, " fails")
	s.early = how == ", whose events come first"
	s.sent, s.made = nil, nil
	var err error
	if method == "Create" {
		err = s.e.Create(s, set, slices.Clone(children)...)
	} else {
		err = s.e.Delete(s, set, uids(children)...)
	}
	slices.Sort(s.sent)
	sent := strings.Join(slices.Compact(slices.Clone(s.sent)), ", ")
	if s.unsent = ""; fails && len(s.sent) < len(children) {
		s.unsent = "; these were sent: " + sent
	}
	switch {
	case len(s.sent) > len(slices.Compact(slices.Clone(s.sent))):
		s.told = append(s.told, "one request is sent for each")
		return s.fail("these were sent: %s", strings.Join(s.sent, ", "))
	case !fails && sent != strings.Join(children, ", "):
		s.told = append(s.told, "one request is sent for each")
		return s.fail("these were sent: %s", cmp.Or(sent, "none"))
	case fails && !slices.Contains(s.sent, s.refused):
		return s.fail("no request was sent for %s", s.refused)
	case !fails && err != nil:
		s.told = append(s.told, "no error")
		return s.fail("%s returned %q", method, err)
	case fails && !errors.Is(err, errRefused):
		s.told = append(s.told, "errors.Is finds the failure in the error")
		return s.fail("%s returned the error %v", method, err)
	}
	return true
}

// eachEvent has the events come that the last requests lead to.
func (s *scene) eachEvent() (ok bool) {
	const set = "north/web"
	if left, belief := s.left, s.belief; s.refused != "" {
		s.left, s.belief = 0, oneForAll
		defer func() { s.left, s.belief = left, belief }()
	}
	for _, child := range slices.Sorted(slices.Values(s.made)) {
		observed := "CreationObserved"
		if strings.HasPrefix(child, "uid") {
			observed = "DeletionObserved"
		}
		for _, step := range []string{
			fmt.Sprintf("Satisfied(%s) is false", set), fmt.Sprintf("%s(%s, %s)", observed, set, child),
		} {
			if !s.take(step) {
				return false
			}
		}
	}
	return true
}

// Create implements Client.
func (s *scene) Create(set, name string) error {
	return s.send(name, func() { s.e.CreationObserved(set, name) })
}

// Delete implements Client.
func (s *scene) Delete(set string, uid types.UID) error {
	return s.send(string(uid), func() { s.e.DeletionObserved(set, uid) })
}

// send is one request, and event what its event does.
func (s *scene) send(child string, event func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, child)
	if child == s.refused {
		return fmt.Errorf("%s: %w", child, errRefused)
	}
	s.made = append(s.made, child)
	if s.early {
		event()
	}
	return nil
}

func uids(children []string) (all []types.UID) {
	for _, child := range children {
		all = append(all, types.UID(child))
	}
	return all
}

// Stage 4: events that never come

package expectations_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/exercises/1-expectations"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: the timeout is 5 minutes, and no event comes.
func TestTimeout(t *testing.T) {
	exercise.Attempted(t)
	play(t, "ExpectCreations(north/web, web-0); 4m59s pass; Satisfied(north/web) is false; 2s pass; "+
		"Satisfied(north/web) is true", "")
	play(t, "ExpectDeletions(north/web, uid-a); 4m59s pass; Satisfied(north/web) is false; 2s pass; "+
		"Satisfied(north/web) is true", "")
}

func TestTimeoutBegins(t *testing.T) {
	exercise.Attempted(t)
	play(t, "4m pass; ExpectCreations(north/web, web-0); 4m pass; Satisfied(north/web) is false",
		"the belief that the timeout is one of the controller. It is one of what was expected")
	const first = "the belief that the first request says when it is too late for the last one's event"
	play(t, "ExpectCreations(north/web, web-0); 3m pass; ExpectCreations(north/web, web-1); 3m pass; "+
		"Satisfied(north/web) is false", first)
	play(t, "ExpectCreations(north/web, web-0); 3m pass; ExpectDeletions(north/web, uid-a); 3m pass; "+
		"Satisfied(north/web) is false", first)
	play(t, "ExpectCreations(north/web, web-0); 3m pass; ExpectCreations(south/web, web-0); 3m pass; "+
		"Satisfied(south/web) is false; Satisfied(north/web) is true",
		"the belief that one clock does for all sets. Where one set or another always expects something, it never runs out")
	play(t, "ExpectCreations(north/web, web-0, web-1); 3m pass; CreationObserved(north/web, web-1); "+
		"Satisfied(north/web) is false; 3m pass; Satisfied(north/web) is true", "")
}

func TestAfterTheTimeout(t *testing.T) {
	exercise.Attempted(t)
	play(t, "ExpectCreations(north/web, web-0); 6m pass; Satisfied(north/web) is true; ExpectCreations(north/web, web-1); "+
		"Satisfied(north/web) is false", "the belief that a set whose event is missing has no expectations any more")
	play(t, "ExpectCreations(north/web, web-0); 6m pass; Satisfied(north/web) is true; "+
		"ExpectDeletions(north/web, uid-a); DeletionObserved(north/web, uid-a); Satisfied(north/web) is true",
		"the belief that a missing event is waited for again with the next one. The set would stand still for a timeout "+
			"after each request")
	play(t, "ExpectDeletions(north/web, uid-a); 6m pass; Satisfied(north/web) is true; "+
		"ExpectCreations(north/web, web-0); CreationObserved(north/web, web-0); Satisfied(north/web) is true", "")
}

func TestForget(t *testing.T) {
	exercise.Attempted(t)
	play(t, "ExpectCreations(north/web, web-0); ExpectDeletions(north/web, uid-a); ExpectCreations(south/web, web-0); "+
		"Forget(north/web); Satisfied(south/web) is false; Satisfied(north/web) is true",
		"the belief that a set of the same name waits for what its predecessor did")
	play(t, "ExpectCreations(north/web, web-0); Forget(north/web); 3m pass; ExpectCreations(north/web, web-1); 3m pass; "+
		"Satisfied(north/web) is false; CreationObserved(north/web, web-1); Satisfied(north/web) is true", "")
	play(t, "Forget(north/web); CreationObserved(north/web, web-0); DeletionObserved(north/web, uid-a); "+
		"Satisfied(north/web) is true", "")
}

func TestTwoControllers(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(*testing.T) {
		one, other := New(timeout), New(timeout)
		one.ExpectCreations("north/web", "web-0")
		exercise.Expect(t, other.Satisfied("north/web"), exercise.Verdict{
			Expected: "of two Expectations one expects web-0 of north/web; Satisfied(north/web) of the other is true",
			Happened: "it was false",
		})
	})
}

// What is handed over stays the caller's.
func TestNamesOfTheCaller(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(*testing.T) {
		e, names := New(timeout), []string{"web-0", "web-1", "web-2"}
		e.ExpectCreations("north/web", names...)
		e.CreationObserved("north/web", "web-0")
		want := []string{"web-0", "web-1", "web-2"}
		exercise.Expect(t, slices.Equal(names, want), exercise.Verdict{
			Expected: fmt.Sprintf("ExpectCreations(north/web, names...); CreationObserved(north/web, web-0); names is %q", want),
			Happened: fmt.Sprintf("it was %q", names),
		})
	})
}

// Two calls that nothing orders, for every two methods. It is the race detector that has something to say.
func TestCallsAtOnce(t *testing.T) {
	exercise.Attempted(t, lockHeld)
	calls := []func(*scene){
		func(s *scene) { s.e.ExpectCreations("north/web", "web-2") },
		func(s *scene) { s.e.CreationObserved("north/web", "web-0") },
		func(s *scene) { s.e.ExpectDeletions("north/web", "uid-c") },
		func(s *scene) { s.e.DeletionObserved("north/web", "uid-a") },
		func(s *scene) { _ = s.e.Create(s, "north/web", "web-3") },
		func(s *scene) { _ = s.e.Delete(s, "north/web", "uid-d") },
		func(s *scene) { s.e.Satisfied("north/web") },
		func(s *scene) { s.e.Forget("north/web") },
	}
	exercise.Bubble(t, func(*testing.T) {
		for _, one := range calls {
			for _, other := range calls {
				s := &scene{e: New(timeout)}
				s.e.ExpectCreations("north/web", "web-0", "web-1")
				s.e.ExpectDeletions("north/web", "uid-a", "uid-b")
				go one(s)
				go other(s)
				synctest.Wait()
			}
		}
	})
}

// Stage 3: what is borrowed is a clone

package statemap_test

import (
	"fmt"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/exercises/1-statemap"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: a state is borrowed, changed, and comes back.
func TestUpdate(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Put(north/web, a/1, Running); Update(north/web, a/1, Ended); ByObject(north/web): a/1, Ended; "+
		"ByRun(a/1): north/web, Ended", "")
}

func TestUpdateOfAnother(t *testing.T) {
	exercise.Attempted(t)
	play(t, "Put(north/web, a/1, Running); Put(north/web, a/2, Running); Update(north/web, a/1, Ended) is refused: "+
		"ErrStale",
		"the belief that what was learned of an object holds for what runs there now. It was learned of a run that "+
			"has ended")
	play(t, "Put(north/web, a/1, Running); Put(north/web, a/2, Running); Update(north/web, a/1, Ended) is refused: "+
		"ErrStale; ByObject(north/web): a/2, Running; ByRun(a/2): north/web, Running; ByRun(a/1): not found", halfDone)
	play(t, "Put(north/web, a/1, Running); Delete(north/web); Update(north/web, a/1, Ended) is refused: ErrStale",
		"the belief that an update makes what is not there. An object that has been deleted would be known for ever")
	play(t, "Put(north/web, a/1, Running); Delete(north/web); Update(north/web, a/1, Ended) is refused: ErrStale; "+
		"ByObject(north/web): not found; ByRun(a/1): not found", halfDone)
	play(t, "Put(north/web, a/1, Running); Put(north/web, c/1, Running); Update(north/web, a/1, Ended) is refused: "+
		"ErrStale", "")
	play(t, "Put(north/web, a/1, Running); Put(north/web, none, Pending); Update(north/web, a/1, Ended) is refused: "+
		"ErrStale", "")
	play(t, "Put(north/web, a/1, Running); Put(north/db, b/1, Running); Update(north/web, b/1, Ended) is refused: "+
		"ErrStale",
		"the belief that a run is enough to update by. It is another object's, and the state is not about that one")
	play(t, "Put(north/web, a/1, Running); Put(north/db, b/1, Running); Update(north/web, b/1, Ended) is refused: "+
		"ErrStale; ByObject(north/db): b/1, Running; ByObject(north/web): a/1, Running", halfDone)
	play(t, "Put(north/web, a/1, Running); Put(north/db, b/1, Running); Update(north/web, a/1, Ended); "+
		"ByObject(north/db): b/1, Running; ByRun(b/1): north/db, Running", "")
}

// What is borrowed is the borrower's.
func TestBorrowed(t *testing.T) {
	exercise.Attempted(t)
	for _, b := range borrows {
		m := New()
		if err := m.Put(web, Run{"a", 1}, State{Exits: []int{1}}); err != nil {
			exercise.Fail(t, exercise.Verdict{Expected: "Put(north/web, a/1, Exits [1])", Happened: "it was refused"})
		}
		if s := b.borrow(m); len(s.Exits) == 1 {
			s.Exits[0] = 9
		}
		kept(t, m, "Put(north/web, a/1, Exits [1]); "+b.name+"; the borrower sets Exits[0] = 9",
			"the belief that a struct's copy has a slice of its own. Both point to the same numbers, and one run "+
				"would see what another has only begun")
	}
}

// What is handed over stays the caller's.
func TestHandedOver(t *testing.T) {
	exercise.Attempted(t)
	for _, name := range []string{"Put", "Update"} {
		m, mine := New(), State{Exits: []int{1}}
		hand := m.Put
		if name == "Update" {
			hand = m.Update
		}
		err := m.Put(web, Run{"a", 1}, State{Exits: []int{7}})
		if err == nil {
			err = hand(web, Run{"a", 1}, mine)
		}
		exercise.Expect(t, err == nil, exercise.Verdict{
			Expected: name + "(north/web, a/1, Exits [1])", Happened: fmt.Sprintf("it returned the error %v", err),
		})
		mine.Exits[0] = 9
		kept(t, m, name+"(north/web, a/1, Exits [1]); the caller sets its Exits[0] = 9", "the belief that what was "+
			"handed over is the map's. The caller goes on with its state, and changes it without "+name)
	}
}

// borrows are the two ways to get a state.
var borrows = []struct {
	name   string
	borrow func(*Map) State
}{
	{"ByObject(north/web)", func(m *Map) (s State) { _, s, _ = m.ByObject(web); return s }},
	{"ByRun(a/1)", func(m *Map) (s State) { _, s, _ = m.ByRun(Run{"a", 1}); return s }},
}

// kept looks whether the map still has the exits [1], under both keys.
func kept(t *testing.T, m *Map, story, belief string) {
	t.Helper()
	for _, b := range borrows {
		got := fmt.Sprint(b.borrow(m).Exits)
		exercise.Expect(t, got == "[1]", exercise.Verdict{
			Expected: story + "; " + b.name + " returns Exits [1]", Happened: "it returned Exits " + got,
			PointsTo: belief,
		})
	}
}

func TestStatesOfTwo(t *testing.T) {
	exercise.Attempted(t)
	m, s := New(), State{Exits: []int{1}}
	_, _ = m.Put(web, Run{"a", 1}, s), m.Put(db, Run{"b", 1}, s)
	if _, borrowed, _ := m.ByObject(db); len(borrowed.Exits) == 1 {
		borrowed.Exits[0] = 9
	}
	kept(t, m, "Put(north/web, a/1, s); Put(north/db, b/1, s), with s.Exits [1]; the borrower of north/db sets "+
		"Exits[0] = 9", "")
}

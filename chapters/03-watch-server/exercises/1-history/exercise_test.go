package history

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// window makes one that began at a revision and took a change at each of the others.
func window(capacity int, begin uint64, revisions ...uint64) *Window {
	w := New(capacity, begin)
	for _, r := range revisions {
		w.Add(Change{r, fmt.Sprint("object-", r)})
	}
	return w
}

func told(changes []Change, err error) string {
	if err != nil {
		return fmt.Sprintf("the error %q", err)
	}
	revisions := []uint64{}
	for _, c := range changes {
		revisions = append(revisions, c.Revision)
	}
	return fmt.Sprintf("the changes %v", revisions)
}

// replay checks one call of Since that has to succeed.
func replay(t *testing.T, w *Window, what string, after uint64, pointsTo string, want ...uint64) []Change {
	t.Helper()
	got, err := w.Since(after)
	revisions := []uint64{}
	for _, c := range got {
		revisions = append(revisions, c.Revision)
	}
	exercise.Expect(t, err == nil && slices.Equal(revisions, want), exercise.Verdict{
		Expected: fmt.Sprintf("%s: Since(%d) returns the changes %v", what, after, want),
		Happened: "it returned " + told(got, err),
		PointsTo: pointsTo,
	})
	return got
}

func TestResume(t *testing.T) {
	exercise.Attempted(t)
	w := window(10, 1, 2, 3, 4, 5)
	got, err := w.Since(3)
	verdict := exercise.Verdict{
		Expected: "changes 2, 3, 4 and 5 were added: Since(3) returns the changes [4 5]",
		Happened: "it returned " + told(got, err),
		PointsTo: "the belief that a window only has to store: a client that lost its connection asks for what it missed",
	}
	switch {
	case err == nil && len(got) > 0 && got[0].Revision == 3:
		verdict.PointsTo = "the belief that a resourceVersion names the next event to send: the client has handled the event with that revision, and gets it twice"
	case err == nil && len(got) > 0 && got[0].Revision == 5:
		verdict.PointsTo = "the belief that the event after the resourceVersion has been sent too: the client never hears of it"
	case err == nil && len(got) == 2 && got[0].Revision == 5:
		verdict.PointsTo = "the belief that the order of a replay does not matter"
	}
	exercise.Expect(t, err == nil && told(got, nil) == "the changes [4 5]", verdict)
	exercise.Expect(t, got[0].Name == "object-4", exercise.Verdict{
		Expected: "the change with revision 4 is that of object-4", Happened: "it is that of " + got[0].Name})
}

func TestNewest(t *testing.T) {
	exercise.Attempted(t)
	replay(t, window(10, 1, 2, 3), "the newest change is 3", 3,
		"the belief that nothing to replay means that something was lost: a client that is up to date is sent to LIST, and again after that")
}

func TestRevisionsHaveGaps(t *testing.T) {
	exercise.Attempted(t)
	w := window(10, 1, 10, 14, 15, 30)
	for after, want := range map[uint64][]uint64{10: {14, 15, 30}, 12: {14, 15, 30}, 15: {30}, 29: {30}, 3: {10, 14, 15, 30}} {
		replay(t, w, "changes have the revisions 10, 14, 15 and 30", after,
			"the belief that each resource counts its own revisions, one by one: there is one counter for the whole store", want...)
	}
}

func TestForgottenIsExpired(t *testing.T) {
	exercise.Attempted(t)
	w := window(3, 1, 2, 3, 4, 5, 6)
	got, err := w.Since(2)
	happened := "it returned " + told(got, err)
	belief := "the belief that a client gets as much as is left: it goes on with a hole in its history, and nobody tells it"
	if err == nil && len(got) > 3 {
		belief = "the belief that history can be kept for ever: the server's memory grows with every write"
	}
	exercise.Expect(t, errors.Is(err, ErrExpired), exercise.Verdict{
		Expected: "a window for 3 changes took 2, 3, 4, 5 and 6: Since(2) returns ErrExpired, for change 3 is gone",
		Happened: happened, PointsTo: belief,
	})
	exercise.Expect(t, len(got) == 0, exercise.Verdict{
		Expected: "with ErrExpired no changes are returned", Happened: happened,
		PointsTo: "the belief that part of an answer is better than none"})
}

func TestEdgeOfTheWindow(t *testing.T) {
	exercise.Attempted(t)
	w := window(3, 1, 2, 3, 4, 5, 6)
	replay(t, w, "a window for 3 changes took 2, 3, 4, 5 and 6", 3,
		"the belief that a revision has to be in the window to resume from it: what is asked for is what comes after it", 4, 5, 6)
	w = window(2, 1, 10, 20, 30, 40)
	replay(t, w, "a window for 2 changes took 10, 20, 30 and 40", 20,
		"the belief that the edge of the window can be computed from the oldest change in it: the revisions between 20 and 30 are those of other resources", 30, 40)
	for _, after := range []uint64{19, 15, 10} {
		got, err := w.Since(after)
		exercise.Expect(t, errors.Is(err, ErrExpired), exercise.Verdict{
			Expected: fmt.Sprintf("a window for 2 changes took 10, 20, 30 and 40: Since(%d) returns ErrExpired, for change 20 is gone", after),
			Happened: "it returned " + told(got, err),
			PointsTo: "the belief that a client in the gap before the window has missed nothing",
		})
	}
}

func TestBeforeTheWindowBegan(t *testing.T) {
	exercise.Attempted(t)
	w := window(10, 7)
	replay(t, w, "the window began at 7 and took nothing yet", 7,
		"the belief that an empty window knows nothing: it knows that nothing has happened since it began")
	w.Add(Change{9, "object-9"})
	replay(t, w, "the window began at 7 and took 9", 7,
		"the belief that history begins with the first change in the window: it begins when the window does", 9)
	got, err := w.Since(6)
	exercise.Expect(t, errors.Is(err, ErrExpired), exercise.Verdict{
		Expected: "the window began at 7 and took 9: Since(6) returns ErrExpired, for nobody here knows what happened at 7",
		Happened: "it returned " + told(got, err),
		PointsTo: "the belief that 410 comes only after something was thrown away: a server that has just started has no past to offer",
	})
}

func TestReplayIsTheCallers(t *testing.T) {
	exercise.Attempted(t)
	w := window(3, 1, 2, 3, 4)
	got := replay(t, w, "changes 2, 3 and 4 were added", 1, "", 2, 3, 4)
	for r := uint64(5); r < 12; r++ {
		w.Add(Change{r, fmt.Sprint("object-", r)})
	}
	exercise.Expect(t, told(got, nil) == "the changes [2 3 4]", exercise.Verdict{
		Expected: "a replay of 2, 3 and 4 still reads so after seven more changes were added",
		Happened: "it reads " + told(got, nil),
		PointsTo: "the belief that a slice is a copy: the watcher is still sending while the window moves on under it",
	})
	got = replay(t, w, "the window has 9, 10 and 11", 8, "", 9, 10, 11)
	got[0] = Change{999, "scribble"}
	replay(t, w, "a caller wrote into the slice it was given", 8,
		"the belief that a slice is a copy: what one caller does to it, all others see", 9, 10, 11)
}

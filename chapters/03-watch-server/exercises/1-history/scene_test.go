package history_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"
	"weak"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/exercises/1-history"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// hang is a word on what leads to a test that does not end.
const hang = "a loop that has no end, or a lock that its owner takes twice: nothing here waits for anybody else"

// What a wrong answer can point to, where more answers single it out.
const (
	includesIt = "the belief that a resourceVersion names the next event to send: the client has handled the " +
		"event with that revision, and gets it twice"
	skipsOne = "the belief that the event after the resourceVersion has been sent too: the client never hears of it"
	nothing  = "the belief that nothing to replay means that something was lost: " +
		"a client that is up to date is sent to LIST, and again after that"
	oneByOne = "the belief that each resource counts its own revisions, one by one: " +
		"there is one counter for the whole store"
	forEver   = "the belief that history can be kept for ever: the server's memory grows with every write"
	whatsLeft = "the belief that a client gets as much as is left: " +
		"it goes on with a hole in its history, and nobody tells it"
	mustBeIn = "the belief that a revision has to be in the window to resume from it: " +
		"what is asked for is what comes after it"
	fromOldest = "the belief that the edge of the window can be computed from the oldest change in it: the revisions " +
		"between 20 and 30 are those of other resources"
	gapIsFine    = "the belief that a client in the gap before the window has missed nothing"
	emptyIsBlank = "the belief that an empty window knows nothing: it knows that nothing has happened since it began"
	fromFirst    = "the belief that history begins with the first change in the window: it begins when the window does"
	neverGone    = "the belief that 410 comes only after something was thrown away: " +
		"a server that has just started has no past to offer"
	isACopy = "the belief that a slice is a copy: the watcher is still sending while the window moves on under it"
)

// A scene is a window, and what has happened to it.
type scene struct {
	*Window
	begun string
	took  []uint64
	then  string
}

// begin makes a window for some changes that begins at a revision.
func begin(capacity int, revision uint64) *scene {
	story := fmt.Sprintf("a window for %d changes began at %d", capacity, revision)
	return &scene{Window: New(capacity, revision), begun: story}
}

// add gives the window a change of an object of its own at each revision.
func (s *scene) add(revisions ...uint64) *scene {
	for _, r := range revisions {
		s.Add(Change{Revision: r, Name: nameAt(r)})
	}
	s.took = append(s.took, revisions...)
	return s
}

// story says in words what has happened.
func (s *scene) story() string {
	switch n := len(s.took); {
	case n == 0:
		return s.begun + s.then
	case n > 20:
		return fmt.Sprintf("%s and took %d to %d%s", s.begun, s.took[0], s.took[n-1], s.then)
	}
	return fmt.Sprintf("%s and took %v%s", s.begun, s.took, s.then)
}

func nameAt(revision uint64) string { return fmt.Sprint("object-", revision) }

// says is what Since answers: "[4 5]", "ErrExpired", "ErrExpired and [4 5]".
func (s *scene) says(after uint64) string { return told(s.Since(after)) }

func told(changes []Change, err error) string {
	switch {
	case err == nil:
		return list(changes)
	case !errors.Is(err, ErrExpired):
		return fmt.Sprintf("the error %q, which is not ErrExpired", err)
	case len(changes) > 0:
		return "ErrExpired and " + list(changes)
	}
	return "ErrExpired"
}

// list shows the revisions of changes, and the names where they are not those that add gives.
func list(changes []Change) string {
	shown := make([]string, len(changes))
	for i, c := range changes {
		shown[i] = fmt.Sprint(c.Revision)
		if c.Name != nameAt(c.Revision) {
			shown[i] += fmt.Sprintf(" of %q", c.Name)
		}
	}
	return fmt.Sprint(shown)
}

// same reports whether Since gives one answer for each of some revisions.
func (s *scene) same(answer string, revisions ...uint64) bool {
	for _, r := range revisions {
		if s.says(r) != answer {
			return false
		}
	}
	return true
}

// A belief is what a wrong answer can point to, with the further answers that single it out.
type belief map[string]func() bool

// replays checks an answer of Since that has to be these changes.
func (s *scene) replays(t *testing.T, after uint64, b belief, want ...uint64) {
	t.Helper()
	changes := fmt.Sprint(want)
	inWords := "the changes " + changes
	if len(want) == 0 {
		inWords = "no changes and no error"
	}
	s.answers(t, after, changes, inWords, b)
}

// expires checks an answer of Since that has to be ErrExpired. why says what the window can't tell.
func (s *scene) expires(t *testing.T, after uint64, why string, b belief) {
	t.Helper()
	s.answers(t, after, "ErrExpired", "ErrExpired and no changes: "+why, b)
}

func (s *scene) answers(t *testing.T, after uint64, want, inWords string, b belief) {
	t.Helper()
	got := s.says(after)
	if got == want {
		return
	}
	v := exercise.Verdict{
		Expected: fmt.Sprintf("%s: Since(%d) returns %s", s.story(), after, inWords),
		Happened: "it returned " + got,
	}
	for text, shows := range b {
		if shows() {
			v.PointsTo = text
		}
	}
	exercise.Fail(t, v)
}

// above are those of some revisions that come after one.
func above(revisions []uint64, after uint64) []uint64 {
	out := []uint64{}
	for _, r := range revisions {
		if r > after {
			out = append(out, r)
		}
	}
	return out
}

// long is a name that takes memory.
func long(revision uint64) string { return strings.Repeat("x", 500) + nameAt(revision) }

// name says whether the name of a change is still in memory, and does not keep it there.
type name = weak.Pointer[byte]

// addLong gives the window a change with a name of its own, which nobody else has.
func addLong(w *Window, revision uint64) name {
	text := long(revision)
	w.Add(Change{Revision: revision, Name: text})
	return weak.Make(unsafe.StringData(text))
}

// inMemory counts the names that somebody still needs.
func inMemory(names []name) int {
	runtime.GC()
	held := 0
	for _, n := range names {
		if n.Value() != nil {
			held++
		}
	}
	return held
}

// heap is what the process holds in memory once everything that nobody needs is gone.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // what lay in a sync.Pool goes with the second
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

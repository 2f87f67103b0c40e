package conflict_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/exercises/3-conflict"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// hang is a word on what leads to a test that does not end.
const hang = "a call that returned with the lock, or that called a method which wants it too: whoever comes " +
	"next waits for ever; or a loop without an end"

// What a failure can point to, where what was seen singles it out.
const (
	ofTheContent = "the belief that a revision is a property of the content: it is the number of the write"
	perObject    = "the belief that each object counts its own revisions: a client could not tell which of two " +
		"objects was written later, nor resume a watch of both"
	createReplaces = "the belief that a create may replace"
	updateCreates  = "the belief that an update may create"
	lastWins       = "the belief that the last writer wins: the first one is never told that its write is gone"
	newerIsFine    = "the belief that a higher revision is a newer one of this object: only the present one is"
	equalIsRight   = "the belief that equal content makes an old write right: " +
		"the client has to hear that it decided on something else"
	noneIsWrong = "the belief that no revision is a wrong one: a client may say that it does not care"
	equalIsSame = "the belief that equal content is the same version: a resourceVersion is no digest, it tells the " +
		"write, and two writes of the same content are two"
	everyRequest = "the belief that every request is a write: " +
		"a controller that writes what is there already would wake itself, and everybody, for ever"
	deleteAlways = "the belief that deleting needs no condition: " +
		"the object may have been changed into something worth keeping"
	noNumber = "the belief that a deletion leaves nothing, so needs no number: " +
		"a watch that resumes has to find its place before or after it"
	goneIsGone     = "the belief that gone is gone: the second of two has to know that it was not the one"
	countsRequests = "the belief that a revision counts requests: " +
		"a client that watches would wait for changes that never were"
	stillHolds = "the belief that a check made before a write still holds at the write: in between, others check too"
	isAFailure = "the belief that a conflict is a failure: it is the server's way of asking to look again"
	withForce  = "the belief that a conflict is avoided by not saying what the write was made from: the server then " +
		"has no way to see that another client's write gets lost"
	sentIsMade = "the belief that a write is made when it was sent: this one was refused"
	sameValue  = "the belief that after a conflict the same value can be sent under the new revision: " +
		"it was made from a value that is no more"
	sentIsThere = "the belief that what was sent is what is there then: it has a new revision"
	worthATry   = "the belief that every failed write is worth another try: " +
		"only a conflict says that a fresh look helps"
)

// onlyIf is a belief where what was seen singles it out, and else nothing.
func onlyIf(seen bool, belief string) string {
	if seen {
		return belief
	}
	return ""
}

// shown is an answer in words.
func shown(o Object, err error) string {
	if err != nil {
		return fmt.Sprintf("the error %q", err)
	}
	return fmt.Sprintf("%s = %q at revision %d", o.Name, o.Value, o.Revision)
}

// same compares what the exercise promises of an object.
func same(a, b Object) bool {
	return a.Name == b.Name && a.Value == b.Value && a.Revision == b.Revision
}

// object is one of the name a.
func object(value string, revision uint64) Object {
	return Object{Name: "a", Value: value, Revision: revision}
}

// returns checks an answer that has to be this object.
func returns(t *testing.T, what string, o Object, err error, want Object, pointsTo string) {
	t.Helper()
	exercise.Expect(t, err == nil && same(o, want), exercise.Verdict{
		Expected: what + " returns " + shown(want, nil),
		Happened: "it returned " + shown(o, err),
		PointsTo: pointsTo,
	})
}

// fails checks an answer that has to be this error.
func fails(t *testing.T, what string, err, want error, pointsTo string) {
	t.Helper()
	exercise.Expect(t, errors.Is(err, want), exercise.Verdict{
		Expected: fmt.Sprintf("%s is refused with %q", what, want),
		Happened: howRefused(err, want),
		PointsTo: pointsTo,
	})
}

// refused checks an answer of a store that has to be this error, and none of the others.
func refused(t *testing.T, what string, err, want error, pointsTo string) {
	t.Helper()
	fails(t, what, err, want, pointsTo)
	for _, other := range []error{ErrExists, ErrNotFound, ErrConflict} {
		exercise.Expect(t, other == want || !errors.Is(err, other), exercise.Verdict{
			Expected: fmt.Sprintf("%s is refused with %q, and errors.Is tells which error it is", what, want),
			Happened: fmt.Sprintf("for errors.Is it is %q too", other)})
	}
}

func howRefused(err, want error) string {
	switch {
	case err == nil:
		return "there was no error"
	case err.Error() == want.Error():
		return "the error has that text, and is another one"
	}
	return fmt.Sprintf("the error was %q", err)
}

// a scene is a store whose objects a test has made.
type scene struct {
	*Store
	t *testing.T
}

func begin(t *testing.T) scene { return scene{New(), t} }

// others are the objects of a store in which a crowd meets, one of them under the longest name: a map of a few would
// not look at the whole key.
const others = 20

func crowded(t *testing.T) scene {
	s := begin(t)
	s.makes(longest(), "")
	for i := range others - 1 {
		s.makes(fmt.Sprint("other ", i), "")
	}
	return s
}

// deletes reports whether a new object can be deleted from a revision, in a store in which it has revision 3.
func (s scene) deletes(revision uint64) bool {
	s.makes("b", "red")
	s.makes("c", "red")
	s.makes("a", "red")
	_, err := s.Delete("a", revision)
	return err == nil
}

// makes creates an object, in a test that is about something else.
func (s scene) makes(name, value string) Object {
	s.t.Helper()
	o, err := s.Create(name, value)
	if err != nil {
		exercise.Fail(s.t, exercise.Verdict{
			Expected: fmt.Sprintf("Create of %.20q succeeds", name), Happened: fmt.Sprintf("the error was %v", err)})
	}
	return o
}

// writes updates an object, in a test that is about something else.
func (s scene) writes(o Object) Object {
	s.t.Helper()
	now, err := s.Update(o)
	if err != nil {
		exercise.Fail(s.t, exercise.Verdict{
			Expected: fmt.Sprintf("Update of %q to %.20q from revision %d succeeds", o.Name, o.Value, o.Revision),
			Happened: fmt.Sprintf("the error was %v", err)})
	}
	return now
}

// holds checks what the store has of an object.
func (s scene) holds(want Object, after string) {
	s.t.Helper()
	o, err := s.Get(want.Name)
	exercise.Expect(s.t, err == nil && same(o, want), exercise.Verdict{
		Expected: "after " + after + " Get returns " + shown(want, nil), Happened: "it returned " + shown(o, err)})
}

// methodsRace says that the race detector has seen what [TestMethodsLock] looks for. The runtime may
// end a process in which many do so at once, and its words would be the verdict.
var methodsRace bool

func needsLocks(t *testing.T) {
	t.Helper()
	exercise.Expect(t, !methodsRace, exercise.Verdict{
		Expected: "the methods lock, before many call them at once", Happened: "TestMethodsLock found a data race"})
}

// crowd is how many clients do something at once, and few those of them of which all but one are refused: an error may
// quote what was sent, which takes its time.
const (
	crowd = 32
	few   = 8
)

// Names and values of a crowd are long: a call that looks at one takes its time.
var (
	longNames  = texts(4, 1<<16)
	longValues = texts(few+1, 1<<16)
	longest    = sync.OnceValue(func() string { return texts(1, 16<<20)[0] })
)

// texts are some of one length, which differ at their ends.
func texts(n, length int) []string {
	long := strings.Repeat("x", length)
	out := make([]string, n)
	for i := range out {
		out[i] = long + string(rune('!'+i))
	}
	return out
}

// read and write keep the store busy for milliseconds.
func (s scene) read(int)      { _, _ = s.Get(longest()) }
func (s scene) write(nth int) { _, _ = s.Update(Object{Name: longest(), Value: strconv.Itoa(nth)}) }

// together lets some clients do something at once, and returns how many succeeded and the errors of the others.
//
// Meanwhile a few more keep the store busy until all have done it. A mutex for which somebody has waited for one
// millisecond goes to those who wait in turn: a call that gives it back between its check and its write gets it again
// when all of them have had it. And when the store was written, all who wait to read do so before anybody writes.
func (s scene) together(clients int, busy func(nth int), do func(client int) error) (succeeded int, failed []error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4)) // one processor would run the clients by turns
	begin := make(chan struct{})
	var done, nth atomic.Int64
	var mu sync.Mutex
	var wg sync.WaitGroup
	for client := range clients {
		wg.Go(func() {
			<-begin
			err := do(client)
			done.Add(1)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				succeeded++
				return
			}
			failed = append(failed, err)
		})
	}
	var ready sync.WaitGroup
	ready.Add(3)
	for range 3 {
		wg.Go(func() {
			ready.Done()
			for done.Load() < int64(clients) {
				busy(int(nth.Add(1)))
			}
		})
	}
	ready.Wait()
	close(begin)
	wg.Wait()
	return succeeded, failed
}

// oneOf checks that one of a few succeeds, and the others have this error.
func (s scene) oneOf(what string, want error, pointsTo string, do func(client int) error) {
	s.t.Helper()
	succeeded, failed := s.together(few, s.write, do)
	exercise.Expect(s.t, succeeded == 1, exercise.Verdict{
		Expected: fmt.Sprintf("%d clients at once %s: one of them succeeds, the others get %q", few, what, want),
		Happened: fmt.Sprintf("%d succeeded", succeeded),
		PointsTo: onlyIf(succeeded > 1, pointsTo),
	})
	for _, err := range failed {
		refused(s.t, fmt.Sprintf("%d clients at once %s: all but one", few, what), err, want, "")
	}
}

// eachWrites lets a crowd make three writes each, to objects of their own,
// after a last revision. It returns that of the newest.
func (s scene) eachWrites(last uint64) uint64 {
	s.t.Helper()
	var mu sync.Mutex
	var revisions []uint64
	made := func(revision uint64, err error) error {
		mu.Lock()
		defer mu.Unlock()
		revisions = append(revisions, revision)
		return err
	}
	_, failed := s.together(crowd, s.read, func(client int) error {
		name := fmt.Sprint("of client ", client)
		o, err := s.Create(name, "red")
		err = made(o.Revision, err)
		o, err2 := s.Update(Object{Name: name, Value: "green", Revision: o.Revision})
		err2 = made(o.Revision, err2)
		_, err3 := s.Get(name)
		at, err4 := s.Delete(name, o.Revision)
		return errors.Join(err, err2, err3, made(at, err4))
	})
	exercise.Expect(s.t, len(failed) == 0, exercise.Verdict{
		Expected: fmt.Sprintf("%d clients at once create, update, get and delete an object, each its own: all succeed",
			crowd),
		Happened: fmt.Sprintf("%d got an error; one is %v", len(failed), errors.Join(failed...))})
	slices.Sort(revisions)
	for _, revision := range revisions {
		last++
		exercise.Expect(s.t, revision == last, exercise.Verdict{
			Expected: fmt.Sprintf("the writes of %d clients at once have revisions without a gap, "+
				"each its own: one of them has %d", crowd, last),
			Happened: fmt.Sprintf("the next one has %d", revision)})
	}
	return last
}

// forgetsDeletes reports whether the write after the Delete of an object that is not the newest has the next revision
// after that of the newest.
func (s scene) forgetsDeletes() bool {
	s.makes("a", "red")
	newest := s.makes("b", "red")
	_, err := s.Delete("a", 0)
	return err == nil && s.makes("c", "red").Revision == newest.Revision+1
}

// manyTries is far more than a client needs here.
const manyTries = 3000

// A server is what Change talks to: one object, and other clients who write between a Get and an Update.
type server struct {
	t       *testing.T
	object  Object
	gone    bool
	rival   func(update int) // what happens before the n-th Update, counted from 1
	after   func()           // and after one that was made
	fails   map[int]error    // the n-th Update fails with this
	lost    map[int]error    // the n-th Get does
	wrapped bool             // errors are
	trims   bool             // the server changes what it is given

	gets, updates int
	blind         bool // an Update came without a revision
	sent          []Object
}

func (s *server) wrap(err error) error {
	if s.wrapped && err != nil {
		return fmt.Errorf("PUT /a: %w", err)
	}
	return err
}

func (s *server) Get(name string) (Object, error) {
	if s.gets++; s.gets > manyTries {
		s.giveUp()
	}
	switch {
	case s.lost[s.gets] != nil:
		return Object{}, s.wrap(s.lost[s.gets])
	case s.gone || name != s.object.Name:
		return Object{}, s.wrap(ErrNotFound)
	}
	return s.object, nil
}

func (s *server) Update(o Object) (Object, error) {
	s.updates++
	s.sent = append(s.sent, o)
	s.blind = s.blind || o.Revision == 0
	err := s.fails[s.updates]
	if s.fails[0] != nil {
		err = s.fails[0] // always
	}
	if s.updates > manyTries {
		s.giveUp()
	}
	if s.rival != nil {
		s.rival(s.updates)
	}
	switch {
	case err != nil:
		return Object{}, s.wrap(err)
	case s.gone || o.Name != s.object.Name:
		return Object{}, s.wrap(ErrNotFound)
	case o.Revision != 0 && o.Revision != s.object.Revision:
		return Object{}, s.wrap(ErrConflict)
	}
	if s.trims {
		o.Value = strings.TrimSpace(o.Value)
	}
	if o.Value != s.object.Value {
		s.write(o.Value)
	}
	made := s.object
	if s.after != nil {
		s.after()
	}
	return made, nil
}

// write is a write of anybody.
func (s *server) write(value string) {
	s.object.Value = value
	s.object.Revision++
}

// giveUp ends a client that does not.
func (s *server) giveUp() {
	always := s.fails[0]
	known := errors.Is(always, ErrConflict) || errors.Is(always, ErrNotFound) || errors.Is(always, ErrExists)
	exercise.Fail(s.t, exercise.Verdict{
		Expected: "Change ends: its write is made, or it returns an error that trying again can't heal",
		Happened: fmt.Sprintf("it asked the server %d times, and went on; the last error was %v",
			s.gets+s.updates, always),
		PointsTo: onlyIf(always != nil && !known, worthATry),
	})
}

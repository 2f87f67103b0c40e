package conflict

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// wrote checks a write that has to succeed.
func wrote(t *testing.T, what string, o Object, err error, value string, revision uint64, pointsTo string) Object {
	t.Helper()
	exercise.Expect(t, err == nil && o.Value == value && o.Revision == revision, exercise.Verdict{
		Expected: fmt.Sprintf("%s returns the value %q at revision %d", what, value, revision),
		Happened: fmt.Sprintf("value %q, revision %d, error %v", o.Value, o.Revision, err),
		PointsTo: pointsTo,
	})
	return o
}

// refused checks a write that must not succeed.
func refused(t *testing.T, what string, err, want error, pointsTo string) {
	t.Helper()
	exercise.Expect(t, errors.Is(err, want), exercise.Verdict{
		Expected: fmt.Sprintf("%s is refused with %q", what, want),
		Happened: fmt.Sprintf("the error was %v", err),
		PointsTo: pointsTo,
	})
}

func create(t *testing.T, s *Store, name, value string) Object {
	t.Helper()
	o, err := s.Create(name, value)
	if err != nil {
		exercise.Fail(t, exercise.Verdict{Expected: "Create of " + name + " succeeds", Happened: fmt.Sprintf("the error was %v", err)})
	}
	return o
}

const global = "the belief that each object counts its own revisions: a client could not tell which of two objects was written later, nor resume a watch of both"

func TestWritesCount(t *testing.T) {
	exercise.Attempted(t)
	s := New()
	o, err := s.Create("a", "red")
	wrote(t, "the first Create", o, err, "red", 1, "the belief that a revision is a property of the content: it is the number of the write")
	o, err = s.Create("b", "red")
	wrote(t, "the second write of the store, Create of another object,", o, err, "red", 2, global)
	_, err = s.Create("a", "blue")
	refused(t, "Create of a name that exists", err, ErrExists, "the belief that a create may replace")
	o, err = s.Get("a")
	wrote(t, "Get of it", o, err, "red", 1, "the belief that a create may replace")
	o.Value = "green"
	o, err = s.Update(o)
	wrote(t, "the third write, an Update of a,", o, err, "green", 3, global)
	o, err = s.Get("a")
	wrote(t, "Get after the Update", o, err, "green", 3, "the belief that a write is done when it is answered: what was answered has to be stored")
	_, err = s.Update(Object{Name: "none", Value: "x"})
	refused(t, "Update of an object that does not exist", err, ErrNotFound, "the belief that an update may create")
}

func TestStaleUpdateIsRefused(t *testing.T) {
	exercise.Attempted(t)
	s := New()
	seen := create(t, s, "a", "red")
	_, _ = s.Update(Object{"a", "green", seen.Revision})
	_, err := s.Update(Object{"a", "blue", seen.Revision})
	refused(t, "somebody has written green since: an Update to blue that was made from red", err, ErrConflict,
		"the belief that the last writer wins: the first one is never told that its write is gone")
	o, _ := s.Get("a")
	exercise.Expect(t, o.Value == "green", exercise.Verdict{
		Expected: "the refused Update leaves green", Happened: "the value is " + o.Value,
		PointsTo: "the belief that refusing is answering: nothing may be written"})
	_, err = s.Update(Object{"a", "blue", o.Revision + 7})
	refused(t, "an Update made from a revision that the object never had", err, ErrConflict,
		"the belief that a higher revision is a newer one of this object: only the present one is")
	_, err = s.Update(Object{"a", "green", seen.Revision})
	refused(t, "an Update made from an old revision, to the value that the object happens to have,", err, ErrConflict,
		"the belief that equal content makes an old write right: the client has to hear that it decided on something else")
	now, err := s.Update(Object{"a", "blue", 0})
	exercise.Expect(t, err == nil && now.Value == "blue", exercise.Verdict{
		Expected: "an Update with revision 0 is made whatever is there",
		Happened: fmt.Sprintf("value %q, error %v", now.Value, err),
		PointsTo: "the belief that no revision is a wrong one: a client may say that it does not care"})
}

func TestThereAndBackIsNotTheSame(t *testing.T) {
	exercise.Attempted(t)
	s := New()
	seen := create(t, s, "a", "red")
	for _, v := range []string{"green", "red"} {
		_, _ = s.Update(Object{"a", v, 0})
	}
	_, err := s.Update(Object{"a", "blue", seen.Revision})
	refused(t, "red became green and red again: an Update made from the first red", err, ErrConflict,
		"the belief that a resourceVersion is a digest of the content: it tells the write, and two writes of the same content are two")
	now, _ := s.Get("a")
	_, _ = s.Delete("a", now.Revision)
	create(t, s, "a", "red")
	_, err = s.Update(Object{"a", "blue", seen.Revision})
	refused(t, "the object was deleted and made again: an Update made from the first one", err, ErrConflict,
		"the belief that a name is an object: the new one has nothing to do with what the client saw")
}

func TestNoOpIsNoWrite(t *testing.T) {
	exercise.Attempted(t)
	s := New()
	first := create(t, s, "a", "red")
	const belief = "the belief that every request is a write: a controller that writes what is there already would wake itself, and everybody, for ever"
	o, err := s.Update(first)
	wrote(t, "an Update that changes nothing", o, err, "red", 1, belief)
	o, err = s.Update(Object{"a", "red", 0})
	wrote(t, "an Update without a revision that changes nothing", o, err, "red", 1, belief)
	b := create(t, s, "b", "red")
	wrote(t, "the next write, Create of another object,", b, nil, "red", 2, belief)
}

func TestDeleteIsAWrite(t *testing.T) {
	exercise.Attempted(t)
	s := New()
	a := create(t, s, "a", "red")
	b := create(t, s, "b", "red")
	_, err := s.Delete("a", b.Revision)
	refused(t, "Delete with the revision of another object", err, ErrConflict,
		"the belief that deleting needs no condition: the object may have been changed into something worth keeping")
	at, err := s.Delete("a", a.Revision)
	exercise.Expect(t, err == nil && at == 3, exercise.Verdict{
		Expected: "two objects were created: the Delete of one is write 3",
		Happened: fmt.Sprintf("revision %d, error %v", at, err),
		PointsTo: "the belief that a deletion leaves nothing, so needs no number: a watch that resumes has to find its place before or after it",
	})
	c := create(t, s, "c", "red")
	wrote(t, "the write after the Delete", c, nil, "red", 4, "the belief that a deletion leaves nothing, so needs no number")
	_, err = s.Delete("a", 0)
	refused(t, "Delete of what is gone", err, ErrNotFound, "the belief that gone is gone: the second of two has to know that it was not the one")
	_, err = s.Get("a")
	refused(t, "Get of what is gone", err, ErrNotFound, "the belief that a deletion is a mark")
}

func TestRefusalIsNoWrite(t *testing.T) {
	exercise.Attempted(t)
	s := New()
	a := create(t, s, "a", "red")
	for i, refusal := range []struct {
		what string
		ask  func()
	}{
		{"Create of a name that exists", func() { _, _ = s.Create("a", "red") }},
		{"Update from another revision", func() { _, _ = s.Update(Object{"a", "blue", 99}) }},
		{"Update of what does not exist", func() { _, _ = s.Update(Object{"none", "blue", 0}) }},
		{"Delete from another revision", func() { _, _ = s.Delete("a", 99) }},
		{"Delete of what does not exist", func() { _, _ = s.Delete("none", 0) }},
	} {
		refusal.ask()
		o := create(t, s, fmt.Sprint("b", i), "red")
		wrote(t, refusal.what+" was refused: the next write", o, nil, "red", a.Revision+uint64(i)+1,
			"the belief that a revision counts requests: a client that watches would wait for changes that never were")
	}
}

// Of many updates made from one revision, one is made. The values are long and differ in their last
// two letters, so that a store takes its time to see that an update changes something: what is
// decided outside of the lock is decided slowly, and overtaken.
func TestOneWins(t *testing.T) {
	exercise.Attempted(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4)) // one processor would run the clients by turns
	s := New()
	create(t, s, "a", "start")
	const clients, times = 4, 1000
	long := strings.Repeat(" ", 256<<10)
	var wg sync.WaitGroup
	var made [clients][]uint64 // from which revisions each client's updates were made
	for i := range clients {
		wg.Go(func() {
			values := [2]string{long + fmt.Sprint(i, "a"), long + fmt.Sprint(i, "b")}
			for range times {
				o, _ := s.Get("a")
				o.Value = values[len(made[i])%2] // not what this client's last write says
				if _, err := s.Update(o); err == nil {
					made[i] = append(made[i], o.Revision)
				}
			}
		})
	}
	wg.Wait()
	won := map[uint64]int{}
	for i := range clients {
		for _, from := range made[i] {
			won[from]++
			exercise.Expect(t, won[from] == 1, exercise.Verdict{
				Expected: fmt.Sprintf("%d clients read and update at once: of those that update from one revision one succeeds, the others get ErrConflict", clients),
				Happened: fmt.Sprintf("two succeeded from revision %d", from),
				PointsTo: "the belief that a check made before a write still holds at the write: in between, others check too",
			})
		}
	}
}

// rival is a server on which somebody else writes between this client's Get and its Update.
type rival struct {
	*Store
	t       *testing.T
	times   int // how often the rival is quicker
	gets    int
	updates int
	blind   bool  // an Update came without a revision
	broken  error // what every Update fails with
}

func (r *rival) Get(name string) (Object, error) {
	r.gets++
	return r.Store.Get(name)
}

func (r *rival) Update(o Object) (Object, error) {
	if r.updates++; r.updates > 100 || r.gets > 100 {
		exercise.Fail(r.t, exercise.Verdict{
			Expected: "the client gives up on an error that trying again can't heal",
			Happened: "it tried 100 times",
			PointsTo: "the belief that every failed write is worth another try: only a conflict says that a fresh look helps",
		})
	}
	r.blind = r.blind || o.Revision == 0
	if r.broken != nil {
		return Object{}, r.broken
	}
	if r.times > 0 {
		r.times--
		now, _ := r.Store.Get(o.Name)
		_, _ = r.Store.Update(Object{o.Name, now.Value + "+rival", now.Revision})
	}
	return r.Store.Update(o)
}

func TestChange(t *testing.T) {
	exercise.Attempted(t)
	s := New()
	create(t, s, "a", "start")
	o, err := Change(&rival{Store: s, t: t}, "a", func(v string) string { return v + "+mine" })
	pointsTo := "the belief that reading is writing"
	if now, _ := s.Get("a"); now.Value == "start+mine" && o != now {
		pointsTo = "the belief that what was sent is what is there then: it has a new revision"
	}
	wrote(t, "Change, alone on the server,", o, err, "start+mine", 2, pointsTo)
	server := &rival{Store: s, t: t, times: 2}
	o, err = Change(server, "a", func(v string) string { return v + "+again" })
	now, _ := s.Get("a")
	verdict := exercise.Verdict{
		Expected: `two writes of another client come in between: the value is "start+mine+rival+rival+again"`,
		Happened: fmt.Sprintf("it is %q; Change returned %q and the error %v", now.Value, o.Value, err),
		PointsTo: "the belief that a conflict is a failure: it is the server's way of asking to look again",
	}
	switch {
	case server.blind:
		verdict.PointsTo = "the belief that a conflict is avoided by not saying what the write was made from: the server then has no way to see that another client's write gets lost"
	case err == nil && !strings.Contains(now.Value, "+again"):
		verdict.PointsTo = "the belief that a write is made when it was sent: this one was refused"
	case err == nil:
		verdict.PointsTo = "the belief that after a conflict the same value can be sent under the new revision: it was made from a value that is no more"
	}
	exercise.Expect(t, now.Value == "start+mine+rival+rival+again" && err == nil && o == now, verdict)
}

func TestChangeGivesUp(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans("the belief that every failed write is worth another try: only a conflict says that a fresh look helps"))
	s := New()
	create(t, s, "a", "start")
	same := func(v string) string { return v + "!" }
	_, err := Change(&rival{Store: s, t: t}, "none", same)
	refused(t, "Change of what does not exist", err, ErrNotFound, "the belief that a change may create")
	full := errors.New("the disk is full")
	_, err = Change(&rival{Store: s, t: t, broken: full}, "a", same)
	refused(t, "Change on a server that can't write", err, full, "the belief that every failed write is worth another try")
}

func TestManyClients(t *testing.T) {
	exercise.Attempted(t)
	s := New()
	create(t, s, "counter", "0")
	const clients, times = 4, 50
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for range times {
				_, _ = Change(s, "counter", func(v string) string {
					n, _ := strconv.Atoi(v)
					return strconv.Itoa(n + 1)
				})
			}
		})
	}
	wg.Wait()
	o, _ := s.Get("counter")
	exercise.Expect(t, o.Value == strconv.Itoa(clients*times) && o.Revision == clients*times+1, exercise.Verdict{
		Expected: fmt.Sprintf("%d clients add 1, %d times each: the counter is %d at revision %d", clients, times, clients*times, clients*times+1),
		Happened: fmt.Sprintf("it is %s at revision %d", o.Value, o.Revision),
		PointsTo: "the belief that clients that mean well do not lose each other's writes",
	})
}

package conflict_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/exercises/3-conflict"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestWritesCount(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	s := begin(t)
	o, err := s.Create("a", "red")
	digest := false
	if o.Revision > 1 {
		again, _ := New().Create("a", "red")
		other, _ := New().Create("a", "blue")
		digest = again.Revision == o.Revision && other.Revision != o.Revision
	}
	returns(t, "the first write, Create of a,", o, err, object("red", 1), onlyIf(digest, ofTheContent))
	o, err = s.Create("b", "red")
	returns(t, "the second write of the store, Create of b,", o, err, Object{Name: "b", Value: "red", Revision: 2},
		onlyIf(o.Revision == 1, perObject))
	o, err = s.Update(object("green", 1))
	returns(t, "the third write, an Update of a from revision 1,", o, err, object("green", 3),
		onlyIf(o.Revision == 2, perObject))
	s.holds(object("green", 3), "the Update")
	s.holds(Object{Name: "b", Value: "red", Revision: 2}, "an Update of a")
	o, err = s.Update(object("red", 3))
	returns(t, "the fourth write, an Update of a from revision 3,", o, err, object("red", 4), "")
}

func TestStoresShareNothing(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	one, other := begin(t), begin(t)
	one.makes("shared", "red")
	o, err := other.Create("shared", "blue")
	returns(t, "an object was created in one store: Create in another one", o, err,
		Object{Name: "shared", Value: "blue", Revision: 1}, "")
	one.holds(Object{Name: "shared", Value: "red", Revision: 1}, "a write to another store")
}

func TestCreateAndUpdateDiffer(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	s := begin(t)
	s.makes("a", "red")
	for _, value := range []string{"blue", "red", ""} {
		_, err := s.Create("a", value)
		now, _ := s.Get("a")
		refused(t, fmt.Sprintf("Create of %q under a name that exists", value), err, ErrExists,
			onlyIf(err == nil && value == "blue" && now.Value == "blue", createReplaces))
		s.holds(object("red", 1), "the refused Create")
	}
	for _, revision := range []uint64{0, 1, 7} {
		_, err := s.Update(Object{Name: "none", Value: "x", Revision: revision})
		_, there := s.Get("none")
		refused(t, fmt.Sprintf("Update from revision %d of an object that does not exist", revision), err, ErrNotFound,
			onlyIf(err == nil && there == nil, updateCreates))
	}
	_, err := s.Get("none")
	refused(t, "Get of an object that does not exist", err, ErrNotFound, "")
}

func TestStaleUpdateIsRefused(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	s := begin(t)
	seen := s.makes("a", "red")
	now := s.writes(object("green", seen.Revision))
	future := now.Revision + 7
	_, stale := s.Update(object("blue", seen.Revision))
	after, _ := s.Get("a")
	probe := begin(t)
	probe.makes("a", "red")
	_, high := probe.Update(object("blue", future))
	refused(t, "somebody has written green since: an Update to blue that was made from red", stale, ErrConflict,
		onlyIf(stale == nil && high == nil && after.Value == "blue", lastWins))
	s.holds(now, "the refused Update")
	_, err := s.Update(object("blue", future))
	refused(t, "an Update made from a revision that the object never had", err, ErrConflict,
		onlyIf(err == nil, newerIsFine))
	_, err = s.Update(object("green", seen.Revision))
	refused(t, "an Update made from an old revision, to the value that the object happens to have,", err, ErrConflict,
		onlyIf(err == nil, equalIsRight))
	_, err = s.Update(object("green", future))
	refused(t, "an Update made from a revision that the object never had, to the value that it has,", err,
		ErrConflict, "")
	s.holds(now, "all the refused Updates")
	o, err := s.Update(object("blue", 0))
	exercise.Expect(t, err == nil && o.Value == "blue" && o.Revision > now.Revision, exercise.Verdict{
		Expected: fmt.Sprintf("an Update to blue with revision 0 is made whatever is there, as a write after %d",
			now.Revision),
		Happened: "it returned " + shown(o, err),
		PointsTo: onlyIf(errors.Is(err, ErrConflict), noneIsWrong)})
	s.holds(object("blue", o.Revision), "the Update with revision 0")
}

func TestThereAndBackIsNotTheSame(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	s := begin(t)
	seen := s.makes("a", "red")
	s.writes(object("green", 0))
	_, different := s.Update(object("blue", seen.Revision))
	back := s.writes(object("red", 0))
	_, err := s.Update(object("blue", seen.Revision))
	refused(t, "red became green and red again: an Update made from the first red", err, ErrConflict,
		onlyIf(err == nil && errors.Is(different, ErrConflict), equalIsSame))
	s.holds(back, "the refused Update")
	_, err = s.Delete("a", back.Revision)
	exercise.Expect(t, err == nil, exercise.Verdict{
		Expected: "Delete from the present revision succeeds", Happened: fmt.Sprintf("the error was %v", err)})
	born := s.makes("a", "red")
	for _, old := range []uint64{seen.Revision, back.Revision} {
		_, err = s.Update(object("blue", old))
		refused(t, "the object was deleted and made again: an Update made from the one before", err, ErrConflict, "")
	}
	s.holds(born, "the refused Updates")
}

func TestNoOpIsNoWrite(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	s := begin(t)
	s.makes("a", "red")
	for _, revision := range []uint64{1, 0} {
		o, err := s.Update(object("red", revision))
		returns(t, fmt.Sprintf("an Update from revision %d that changes nothing", revision), o, err, object("red", 1),
			onlyIf(err == nil && o.Revision == 2, everyRequest))
		s.holds(object("red", 1), "an Update that changes nothing")
	}
	b, err := s.Create("b", "red")
	returns(t, "two Updates changed nothing: the next write, Create of b,", b, err,
		Object{Name: "b", Value: "red", Revision: 2}, "")
	o, err := s.Update(object("green", 1))
	returns(t, "and an Update of a from revision 1", o, err, object("green", 3), "")
}

func TestDeleteIsAWrite(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	s := begin(t)
	old, b := s.makes("a", "red"), s.makes("b", "red")
	a := s.writes(object("green", old.Revision))
	for _, revision := range []uint64{old.Revision, b.Revision, 99} {
		_, err := s.Delete("a", revision)
		always := err == nil && begin(t).deletes(99) && begin(t).deletes(1)
		refused(t, fmt.Sprintf("a is at revision 3: Delete from revision %d", revision), err, ErrConflict,
			onlyIf(always, deleteAlways))
		s.holds(a, "the refused Delete")
	}
	at, err := s.Delete("a", a.Revision)
	next, _ := s.Create("c", "red")
	exercise.Expect(t, err == nil && at == 4, exercise.Verdict{
		Expected: "two Creates and an Update were made: the Delete is write 4",
		Happened: fmt.Sprintf("revision %d, error %v", at, err),
		PointsTo: onlyIf(err == nil && next.Revision == 4 && begin(t).forgetsDeletes(), noNumber),
	})
	returns(t, "the write after the Delete, Create of c,", next, nil, Object{Name: "c", Value: "red", Revision: 5}, "")
	s.holds(b, "the Delete of a")
	_, err = s.Get("a")
	refused(t, "Get of what is gone", err, ErrNotFound, "")
	for _, revision := range []uint64{0, a.Revision, at, 99} {
		_, err = s.Update(object("red", revision))
		refused(t, fmt.Sprintf("Update from revision %d of what is gone", revision), err, ErrNotFound, "")
		_, err = s.Delete("a", revision)
		refused(t, fmt.Sprintf("Delete from revision %d of what is gone", revision), err, ErrNotFound,
			onlyIf(err == nil, goneIsGone))
	}
	at, err = s.Delete("b", 0)
	exercise.Expect(t, err == nil && at > next.Revision, exercise.Verdict{
		Expected: "Delete of b with revision 0 is made whatever is there, and returns a revision after that of c",
		Happened: fmt.Sprintf("revision %d, error %v", at, err)})
	o, err := s.Create("b", "blue")
	returns(t, "b is gone: Create of b", o, err, Object{Name: "b", Value: "blue", Revision: at + 1}, "")
}

func TestAnyText(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	s := begin(t)
	o, err := s.Create("", "")
	returns(t, "Create of the name \"\" with the value \"\"", o, err, Object{Revision: 1}, "")
	_, err = s.Create("", "x")
	refused(t, "Create of the name \"\", which exists with the value \"\",", err, ErrExists, "")
	s.makes("a", "red")
	o, err = s.Update(object("", 2))
	returns(t, "Update to the value \"\"", o, err, object("", 3), "")
	s.holds(object("", 3), "the Update")
	o, err = s.Update(object("", 0))
	returns(t, "Update to the value \"\", which it has,", o, err, object("", 3), "")
	at, err := s.Delete("", 1)
	exercise.Expect(t, err == nil && at == 4, exercise.Verdict{
		Expected: `Delete of the name "" returns revision 4`, Happened: fmt.Sprintf("revision %d, error %v", at, err)})
	names := []string{"", " ", "b", "B", "b ", "b\n", "b/c", "b/C", "\xff", "\xfe", "\u00fc", "u\u0308"}
	for i, name := range names {
		o, err := s.Create(name, "green "+name)
		returns(t, fmt.Sprintf("Create of the name %q, which is another one than those before,", name), o, err,
			Object{Name: name, Value: "green " + name, Revision: uint64(i) + 5}, "")
	}
	for i, name := range names {
		s.holds(Object{Name: name, Value: "green " + name, Revision: uint64(i) + 5}, "Create of many names")
	}
}

func TestRefusalIsNoWrite(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	for _, refusal := range []struct {
		what string
		ask  func(s scene) error
	}{
		{"Create of a name that exists", func(s scene) error { _, err := s.Create("a", "blue"); return err }},
		{"Update from another revision", func(s scene) error { _, err := s.Update(object("blue", 99)); return err }},
		{"Update of what does not exist", func(s scene) error { _, err := s.Update(Object{Name: "none"}); return err }},
		{"Delete from another revision", func(s scene) error { _, err := s.Delete("a", 99); return err }},
		{"Delete of what does not exist", func(s scene) error { _, err := s.Delete("none", 0); return err }},
		{"Get of what does not exist", func(s scene) error { _, err := s.Get("none"); return err }},
	} {
		s := begin(t)
		s.makes("a", "red")
		err := refusal.ask(s)
		exercise.Expect(t, err != nil, exercise.Verdict{
			Expected: refusal.what + " is refused", Happened: "there was no error"})
		s.holds(object("red", 1), refusal.what)
		o, err := s.Create("b", "red")
		returns(t, refusal.what+" was refused: the next write, Create of b,", o, err,
			Object{Name: "b", Value: "red", Revision: 2}, onlyIf(err == nil && o.Revision == 3, countsRequests))
	}
}

// Two calls, each on an object of its own, come from goroutines that know nothing of each other. They
// do not overlap: the race detector sees that nothing but chance puts one before the other.
func TestMethodsLock(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	defer func() { methodsRace = t.Failed() }() // a bubble that fails ends the test
	calls := []func(s scene, name string){
		func(s scene, name string) { _, _ = s.Get(name) },
		func(s scene, name string) { _, _ = s.Create(name+" new", "red") },
		func(s scene, name string) { _, _ = s.Update(Object{Name: name, Value: "green"}) },
		func(s scene, name string) { _, _ = s.Delete(name, 0) },
	}
	exercise.Bubble(t, func(t *testing.T) {
		for _, first := range calls {
			for _, second := range calls {
				s := begin(t)
				s.makes("a", "red")
				s.makes("b", "red")
				go first(s, "a")
				time.Sleep(time.Second)
				go second(s, "b")
				time.Sleep(time.Second)
			}
		}
	})
}

func TestOneWins(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	needsLocks(t)
	s := crowded(t)
	seen := s.makes("a", longValues[few])
	for range len(longNames) {
		s.oneOf(fmt.Sprintf("update the object from revision %d", seen.Revision), ErrConflict, stillHolds,
			func(client int) error {
				_, err := s.Update(object(longValues[client], seen.Revision))
				return err
			})
		seen = s.writes(object(longValues[few], 0))
	}
}

func TestOneCreates(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	needsLocks(t)
	s := crowded(t)
	for _, name := range longNames {
		s.oneOf("create an object of one name", ErrExists, stillHolds, func(int) error {
			_, err := s.Create(name, "")
			return err
		})
	}
}

func TestOneDeletes(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	needsLocks(t)
	s := crowded(t)
	for _, name := range longNames {
		o := s.makes(name, "")
		s.oneOf("delete one object", ErrNotFound, stillHolds, func(client int) error {
			_, err := s.Delete(o.Name, o.Revision*uint64(client%2)) // every second one does not care
			return err
		})
	}
}

func TestEachWriteHasItsRevision(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	needsLocks(t)
	s := crowded(t)
	s.eachWrites(s.eachWrites(others))
}

// What an Update returns is what it has written itself, also when others write at once.
func TestEachUpdateReturnsItsOwn(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	needsLocks(t)
	s := crowded(t)
	s.makes("a", "start")
	var mu sync.Mutex
	revisions := map[uint64]bool{}
	_, failed := s.together(few, s.write, func(client int) error {
		want := fmt.Sprint("of client ", client)
		o, err := s.Update(object(want, 0))
		if err == nil && o.Value != want {
			err = fmt.Errorf("the Update to %q returned %s", want, shown(o, nil))
		}
		mu.Lock()
		defer mu.Unlock()
		revisions[o.Revision] = true
		return err
	})
	exercise.Expect(t, len(failed) == 0, exercise.Verdict{
		Expected: fmt.Sprintf("%d clients at once update an object with revision 0: each gets its own value back", few),
		Happened: fmt.Sprint(errors.Join(failed...))})
	exercise.Expect(t, len(revisions) == few, exercise.Verdict{
		Expected: fmt.Sprintf("%d clients at once update an object with revision 0: each write has its own revision",
			few),
		Happened: fmt.Sprintf("there are %d revisions", len(revisions))})
}

// mine is what the client of the tests makes of a value.
func mine(value string) string { return value + "+mine" }

func TestChange(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	exercise.Bubble(t, func(t *testing.T) {
		s := &server{t: t, object: object("start", 1)}
		o, err := Change(s, "a", mine)
		exercise.Expect(t, err == nil && same(s.object, object("start+mine", 2)), exercise.Verdict{
			Expected: "Change, alone on the server, writes start+mine, which is revision 2",
			Happened: "the server has " + shown(s.object, nil) + "; Change returned " + shown(o, err)})
		returns(t, "and it", o, err, s.object, onlyIf(same(o, object("start+mine", 1)), sentIsThere))
		s = &server{t: t, object: object("start", 1)}
		s.rival = func(n int) {
			if n < 3 {
				s.write(s.object.Value + "+rival")
			}
		}
		var read []string
		o, err = Change(s, "a", func(value string) string { read = append(read, value); return mine(value) })
		const want = "start+rival+rival+mine"
		v := exercise.Verdict{
			Expected: "two writes of another client come in between: the value is " + want,
			Happened: fmt.Sprintf("it is %s; Change returned %s", s.object.Value, shown(o, err)),
		}
		resent := len(s.sent) > 1 && s.sent[1].Revision == 2 && s.sent[1].Value == "start+mine"
		for text, seen := range map[string]bool{
			withForce:  s.blind && err == nil,
			isAFailure: errors.Is(err, ErrConflict) && s.updates == 1,
			sentIsMade: err == nil && s.updates == 1 && !s.blind,
			sameValue:  err == nil && resent && len(read) == 1 && !s.blind,
		} {
			v.PointsTo += onlyIf(seen, text)
		}
		exercise.Expect(t, s.object.Value == want && err == nil && !s.blind, v)
		returns(t, "after two conflicts Change", o, err, s.object, "")
		exercise.Expect(t, slices.Equal(read, []string{"start", "start+rival", "start+rival+rival"}), exercise.Verdict{
			Expected: "change is called once for each object read: with start, start+rival and start+rival+rival",
			Happened: fmt.Sprintf("it was called with %q", read)})
	})
}

func TestChangeReturnsWhatTheServerAnswered(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	exercise.Bubble(t, func(t *testing.T) {
		s := &server{t: t, object: object("start", 4), trims: true}
		o, err := Change(s, "a", func(value string) string { return value + "+mine  " })
		returns(t, "the server cuts the space at the end of a value: Change", o, err, object("start+mine", 5), "")
		s = &server{t: t, object: object("start", 4)}
		s.after = func() { s.write("somebody else's") }
		o, err = Change(s, "a", mine)
		returns(t, "another client writes right after this one: Change", o, err, object("start+mine", 5), "")
		s = &server{t: t, object: object("same", 4)}
		o, err = Change(s, "a", func(value string) string { return value })
		returns(t, "change returns the value that it was given: Change", o, err, object("same", 4), "")
	})
}

func TestChangeOfAnyText(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	for _, name := range []string{"", "a"} {
		for _, from := range []string{"", "red"} {
			for _, to := range []string{"", "green"} {
				exercise.Bubble(t, func(t *testing.T) {
					s := &server{t: t, object: Object{Name: name, Value: from, Revision: 4}}
					o, err := Change(s, name, func(string) string { return to })
					what := fmt.Sprintf("the name is %q, change makes %q of %q: Change", name, to, from)
					returns(t, what, o, err, s.object, "")
					exercise.Expect(t, s.object.Value == to, exercise.Verdict{
						Expected: fmt.Sprintf("and the value is %q", to),
						Happened: "the server has " + shown(s.object, nil)})
				})
			}
		}
	}
}

// Whether a change is one, only the server can tell: what was read may be old by then.
func TestChangeWritesTheSameValueToo(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	exercise.Bubble(t, func(t *testing.T) {
		s := &server{t: t, object: object("red", 4)}
		calls := 0
		o, err := Change(s, "a", func(string) string {
			if calls++; calls == 1 {
				s.write("green")
			}
			return "red"
		})
		exercise.Expect(t, s.object.Value == "red", exercise.Verdict{
			Expected: "change makes red of red, " +
				"and meanwhile another client has written green: the value is red in the end",
			Happened: "the server has " + shown(s.object, nil) + "; Change returned " + shown(o, err)})
		returns(t, "and Change", o, err, s.object, "")
	})
}

func TestChangeTriesAsOftenAsItTakes(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	const conflicts = 1000
	for _, wrapped := range []bool{false, true} {
		exercise.Bubble(t, func(t *testing.T) {
			s := &server{t: t, object: object("0", 1), wrapped: wrapped}
			s.rival = func(n int) {
				time.Sleep(time.Minute)
				if n <= conflicts {
					s.write(strconv.Itoa(n))
				}
			}
			how := ""
			if wrapped {
				how = ", whose errors are wrapped"
			}
			o, err := Change(s, "a", mine)
			exercise.Expect(t, err == nil && s.object.Value == "1000+mine" && !s.blind, exercise.Verdict{
				Expected: fmt.Sprintf("another client is quicker %d times on a server%s: Change goes on until its "+
					"write is made, each time from what it has read", conflicts, how),
				Happened: fmt.Sprintf("after %d conflicts it returned %s; the server has %s",
					min(s.updates, conflicts), shown(o, err), shown(s.object, nil))})
		})
	}
}

func TestChangeGivesUp(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	full, cut := errors.New("the disk is full"), errors.New("the connection was cut")
	similar := errors.New(ErrConflict.Error())
	for _, c := range []struct {
		what    string
		server  *server
		want    error
		updates int // how many are made
	}{
		{"the object does not exist", &server{gone: true}, ErrNotFound, 0},
		{"Get fails", &server{lost: map[int]error{1: cut}}, cut, 0},
		{"Get says that there is a conflict", &server{lost: map[int]error{1: ErrConflict}}, ErrConflict, 0},
		{"Update fails", &server{fails: map[int]error{0: full}}, full, 1},
		{"Update fails, and the next one would not", &server{fails: map[int]error{1: full}}, full, 1},
		{"Update says that the object is gone", &server{fails: map[int]error{0: ErrNotFound}}, ErrNotFound, 1},
		{"Update fails with another error of that text", &server{fails: map[int]error{1: similar}}, similar, 1},
		{"Update says that it exists", &server{fails: map[int]error{0: ErrExists}}, ErrExists, 1},
		{"there is a conflict, then Get fails",
			&server{fails: map[int]error{1: ErrConflict}, lost: map[int]error{2: cut}}, cut, 1},
		{"there is a conflict, then the object is gone",
			&server{fails: map[int]error{1: ErrConflict}, lost: map[int]error{2: ErrNotFound}}, ErrNotFound, 1},
		{"there is a conflict, then Update fails", &server{fails: map[int]error{1: ErrConflict, 2: full}}, full, 2},
	} {
		for _, wrapped := range []bool{false, true} {
			exercise.Bubble(t, func(t *testing.T) {
				s := *c.server
				s.t, s.object, s.wrapped = t, object("start", 1), wrapped
				calls := 0
				_, err := Change(&s, "a", func(value string) string { calls++; return mine(value) })
				fails(t, c.what+": Change", err, c.want, "")
				exercise.Expect(t, s.updates == c.updates && calls == c.updates, exercise.Verdict{
					Expected: fmt.Sprintf("%s: change is called %d times, and Update too", c.what, c.updates),
					Happened: fmt.Sprintf("change was called %d times, Update %d times", calls, s.updates)})
			})
		}
	}
}

func TestManyClients(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	needsLocks(t)
	const clients, times = 8, 50
	exercise.Bubble(t, func(t *testing.T) {
		s := begin(t)
		s.makes("counter", "0")
		var wg sync.WaitGroup
		for range clients {
			wg.Go(func() {
				for range times {
					_, _ = Change(s.Store, "counter", func(value string) string {
						n, _ := strconv.Atoi(value)
						runtime.Gosched() // others read the same
						return strconv.Itoa(n + 1)
					})
				}
			})
		}
		wg.Wait()
		o, _ := s.Get("counter")
		exercise.Expect(t, o.Value == strconv.Itoa(clients*times) && o.Revision == clients*times+1, exercise.Verdict{
			Expected: fmt.Sprintf("%d clients add 1, %d times each: the counter is %d at revision %d",
				clients, times, clients*times, clients*times+1),
			Happened: fmt.Sprintf("it is %s at revision %d", o.Value, o.Revision)})
	})
}

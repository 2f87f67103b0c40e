package mutation_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"weak"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/exercises/3-mutation"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// nothingToWaitFor is what a hang means: no test holds anything up.
var nothingToWaitFor = exercise.HangMeans("a wait in a call that has nothing to wait for but its turn; " +
	"or a lock that is taken a second time by the one who holds it")

// copied is the copy of a recipe, when it is like the recipe.
func copied(t *testing.T, r, like *Recipe, what string) *Recipe {
	t.Helper()
	c := r.DeepCopy()
	exercise.Expect(t, c != nil, exercise.Verdict{
		Expected: fmt.Sprintf("the copy of %s is a recipe", what),
		Happened: "it is nil",
	})
	exercise.Expect(t, reflect.DeepEqual(c, like), exercise.Verdict{
		Expected: fmt.Sprintf("the copy of %s has all its values", what),
		Happened: "in the copy, " + differences(c, like),
		PointsTo: nilIsEmpty(differences(c, like)),
	})
	exercise.Expect(t, reflect.DeepEqual(r, like), exercise.Verdict{
		Expected: fmt.Sprintf("DeepCopy leaves %s as it is", what),
		Happened: "in the recipe, " + differences(r, like),
	})
	exercise.Expect(t, c != r, exercise.Verdict{
		Expected: fmt.Sprintf("the copy of %s is another recipe", what),
		Happened: "it is the same pointer: a write to the copy is one to the recipe",
	})
	return c
}

func TestCopyIsEqual(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	for _, made := range []func(name, version string) *Recipe{recipes.made, recipes.flat} {
		r, like := made("soup", "7"), made("soup", "7")
		copied(t, r, like, "a recipe")
		r.Name, r.Labels["course"] = "bread", "main"
		like.Name, like.Labels["course"] = "bread", "main"
		copied(t, r, like, "a recipe that was copied before, and then written to,")
	}
}

func TestCopyOfNilAndOfEmpty(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	for _, w := range nilAndEmpty {
		r, like := recipes.made("soup", "7"), recipes.made("soup", "7")
		w.do(r)
		w.do(like)
		copied(t, r, like, "a recipe with "+w.what)
	}
	copied(t, &Recipe{}, &Recipe{}, "&Recipe{}")
	var none *Recipe
	exercise.Expect(t, none.DeepCopy() == nil, exercise.Verdict{
		Expected: "the copy of a nil *Recipe is nil",
		Happened: "it is a recipe",
	})
}

// nilIsEmpty is what it points to that a copy is different in this, and in nothing else.
func nilIsEmpty(differences string) string {
	for _, d := range strings.Split(differences, "; ") {
		if !strings.HasSuffix(d, "is empty instead of nil") && !strings.HasSuffix(d, "is nil instead of empty") {
			return ""
		}
	}
	return "the belief that nil and empty are the same, since both have length 0. " +
		"They are different values: a detector that compares the two finds a write that nobody made"
}

func TestCopySharesNothing(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	var shared []string
	found, all := map[int]int{}, map[int]int{}
	fresh := recipes.made("soup", "7")
	for _, w := range recipes.writes {
		r := recipes.made("soup", "7")
		c, another := copied(t, r, fresh, "a recipe"), copied(t, r, fresh, "a recipe")
		w.do(c)
		arrives := !reflect.DeepEqual(r, fresh) || !reflect.DeepEqual(another, fresh)
		w.do(r)
		arrives = arrives || !reflect.DeepEqual(another, fresh)
		all[w.level]++
		if arrives {
			shared = append(shared, w.what)
			found[w.level]++
		}
	}
	about := ""
	switch {
	case found[0] == 0 && found[1] == all[1] && found[2] == all[2]:
		about = "the belief that a copied struct has copies of what its fields lead to. A map, a slice and a pointer " +
			"are small values that lead to the rest, and the copy's lead to where the recipe's lead"
	case found[0] == 0 && found[1] == 0:
		about = "the belief that one level is deep enough. What lies in a copied map, slice or struct may itself be " +
			"a map, a slice or a pointer, and then it leads to where the recipe's leads"
	}
	exercise.Expect(t, len(shared) == 0, exercise.Verdict{
		Expected: "a write to one of a recipe and two copies of it leaves the others as they are",
		Happened: "these arrived in another one: " + some(shared, "; "),
		PointsTo: about,
	})
}

func TestCopyOfASliceWithRoom(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	roomy := func() *Recipe {
		steps := append(make([]Step, 0, 2), Step{Uses: make([]string, 0, 2)})
		return &Recipe{Finalizers: make([]string, 0, 2), Steps: steps}
	}
	r := roomy()
	c := copied(t, r, roomy(), "a recipe with room behind its slices")
	c.Finalizers = append(c.Finalizers, "wash")
	c.Steps[0].Uses = append(c.Steps[0].Uses, "bowl")
	c.Steps = append(c.Steps, Step{Text: "boil"})
	behind := &Recipe{Finalizers: r.Finalizers[:1], Steps: r.Steps[:2]}
	behind.Steps[0].Uses = r.Steps[0].Uses[:1]
	like := &Recipe{Finalizers: []string{""}, Steps: []Step{{Uses: []string{""}}, {}}}
	exercise.Expect(t, reflect.DeepEqual(behind, like), exercise.Verdict{
		Expected: "an append to a slice of the copy leaves the room behind the recipe's slice as it is",
		Happened: "in that room, " + differences(behind, like),
	})

	r = &Recipe{Steps: make([]Step, 0, 1)}
	c = copied(t, r, &Recipe{Steps: []Step{}}, "a recipe with room for a step")
	c.Steps = append(c.Steps, Step{Text: "boil"})
	exercise.Expect(t, r.Steps[:1][0].Text == "", exercise.Verdict{
		Expected: "an append to the empty Steps of the copy leaves the room behind the recipe's Steps as it is",
		Happened: "the copy's step is there",
	})
}

func TestIntact(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	intact(t, others)
	intact(t, recipes)
}

func intact[T Object[T]](t *testing.T, k kind[T]) {
	t.Helper()
	s := begin(t, k)
	s.check(nil)
	flat := k
	flat.made = k.flat
	f := begin(t, flat)
	f.log[0] += " for objects without pointers"
	x := f.object("salt", "3")
	f.add(x)
	f.check(nil)

	a, b := s.object("soup", "7"), s.object("bread", "9")
	s.add(a)
	s.add(b)
	s.check(clues{"soup@7, received by nobody; bread@9, received by nobody": "the belief that pointers tell whether " +
		"what they lead to is the same. An object without pointers is found intact; in this one there are some, " +
		"and those of a copy are other addresses, to fmt as to =="})
	s.received(a, "list")
	s.check(nil)
	s.write(a, k.first)
	s.write(a, k.undo)
	s.check(nil)
	s.write(a, k.same)
	s.check(nil)
	s.check(nil)
}

func TestEachLevel(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	eachLevel(t, others)
	eachLevel(t, recipes)
}

func eachLevel[T Object[T]](t *testing.T, k kind[T]) {
	t.Helper()
	var missed, marked, unmarked, unseen []string
	for _, w := range k.writes {
		before, after := k.made("soup", "7"), k.made("soup", "7")
		w.do(after)
		if version(before) == version(after) {
			unmarked = append(unmarked, w.what)
		} else {
			marked = append(marked, w.what)
		}
		if asJSON(before) == asJSON(after) {
			unseen = append(unseen, w.what)
		}
		s, x := added(t, k, "bread", "soup")
		s.write(x[1], w)
		if len(s.d.Check()) == 0 {
			missed = append(missed, w.what)
			continue
		}
		s, x = added(t, k, "bread", "soup")
		s.write(x[1], w)
		s.check(nil, x[1].by())
	}
	finds := func(after func(d *Detector[T], object T)) bool {
		d, object := New[T](), k.made("soup", "7")
		d.Add(object)
		after(d, object)
		k.first.do(object)
		return len(d.Check()) > 0
	}
	about := ""
	switch {
	case len(missed) == len(k.writes) && finds(func(d *Detector[T], object T) { d.Check() }):
		about = "the belief that it is soon enough to look at an object in the first Check. " +
			"What was written before is then taken for what the object was"
	case len(missed) == len(k.writes) && finds(func(d *Detector[T], object T) { d.Received(object, "list") }):
		about = "the belief that nobody has an object that nobody was seen to receive. " +
			"Whoever put it into the cache has it, too"
	case slices.Equal(missed, unmarked):
		about = "the belief that an object has changed when its resourceVersion has. The API server gives it a new " +
			"one for a write that was sent there; a write to memory goes past it"
	case slices.Equal(missed, marked):
		about = "the belief that an object with another resourceVersion was updated. An update is another object; " +
			"in this one, somebody wrote over the number"
	case slices.Equal(missed, unseen):
		about = "the belief that an object is what JSON shows of it. JSON leaves out what is not exported, and with " +
			"omitempty what is nil or empty"
	}
	exercise.Expect(t, len(missed) == 0, exercise.Verdict{
		Expected: fmt.Sprintf("after the Add of a %s, Check reports a write to it on any level", k.word),
		Happened: "it reported nothing after " + some(missed, "; nor after "),
		PointsTo: about,
	})
}

func TestReportedOnce(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	reportedOnce(t, others)
	reportedOnce(t, recipes)
}

func reportedOnce[T Object[T]](t *testing.T, k kind[T]) {
	t.Helper()
	again := clues{"soup@7, received by nobody": "the belief that somebody will mend the object. Nobody does, " +
		"and each Check from now on would say the same"}
	s, x := added(t, k, "soup", "bread")
	a := x[0]
	s.write(a, k.first)
	s.check(nil, a.by())
	s.check(again)
	s.check(again)
	s.write(a, k.second)
	s.check(clues{"nothing": "the belief that one report about an object is enough. " +
		"The next write to it may be another one's"}, a.by())
	s.check(nil)

	s, x = added(t, k, "soup")
	a = x[0]
	s.write(a, k.first)
	s.check(nil, a.by())
	s.write(a, k.undo)
	s.check(clues{"nothing": "the belief that what an object was at its Add is right for good. " +
		"Whoever writes the old value back writes, too"}, a.by())
	s.check(nil)
	s.write(a, k.first)
	s.check(nil, a.by())
	s.write(a, k.undo)
	s.write(a, k.first)
	s.check(nil)
}

func TestOrder(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	order(t, others)
	order(t, recipes)
}

func order[T Object[T]](t *testing.T, k kind[T]) {
	t.Helper()
	s, x := added(t, k, "soup", "bread", "peas", "salt", "rice", "beans", "apple", "tea", "milk")
	write := func(w write[T], order ...int) (want []report[T]) {
		for _, i := range order {
			s.write(x[i], w)
		}
		slices.Sort(order)
		for _, i := range order {
			want = append(want, x[i].by())
		}
		return want
	}
	s.check(nil, write(k.first, 8, 0, 5, 2, 7)...)
	s.check(nil, write(k.second, 6, 5, 4, 3, 2, 1, 0, 8, 7)...)
	s.remove(x[2])
	s.check(nil)
	s.check(nil, write(k.undo, 8, 7, 5, 0)...)
}

func TestUpdate(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	update(t, others)
	update(t, recipes)
}

func update[T Object[T]](t *testing.T, k kind[T]) {
	t.Helper()
	const named = "the belief that an object is its name. An update is another object with the same name, " +
		"and nobody has written to either"
	const outlived = "the belief that an object is of no interest when there is a newer one. Whoever received it " +
		"before may still read it, and reads what no server ever sent"
	s, x := added(t, k, "soup")
	old, next := x[0], s.object("soup", "8")
	s.add(next)
	s.check(clues{"soup@7, received by nobody": named, "soup@8, received by nobody": named})
	s.write(old, k.first)
	s.check(clues{"nothing": outlived}, old.by())
	s.write(next, k.second)
	s.check(nil, next.by())

	s, x = added(t, k, "soup")
	old, next = x[0], s.object("soup", "8")
	s.add(next)
	s.remove(old)
	s.write(next, k.first)
	s.check(nil, next.by())

	s, x = added(t, k, "soup")
	old, next = x[0], s.object("soup", "8")
	s.remove(old)
	s.add(next)
	s.check(nil)
	s.write(next, k.first)
	s.check(nil, next.by())

	s, x = added(t, k, "soup", "soup") // two that are equal
	s.write(x[0], k.first)
	s.check(nil, x[0].by())
	s.write(x[1], k.first)
	s.check(nil, x[1].by())
	s.remove(x[0])
	s.write(x[1], k.undo)
	s.check(nil, x[1].by())
}

// What a controller does that has forgotten half of the copy: the update is right, and the cache is not.
func TestUpdateThatSharesAMap(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	s, x := added(t, recipes, "soup")
	next := *x[0].object
	next.ResourceVersion = "8"
	y := &thing[*Recipe]{label: "soup@8, a copy of the struct", object: &next}
	y.made = func() *Recipe { return recipes.made("soup", "8") }
	s.things = append(s.things, y)
	s.add(y)
	s.check(nil)
	s.write(y, recipes.first)
	s.say("so that it is in soup@7, too")
	x[0].writes = append(x[0].writes, recipes.first)
	s.check(nil, x[0].by(), y.by())
}

func TestReceivedBy(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	receivedBy(t, others)
	receivedBy(t, recipes)
}

func receivedBy[T Object[T]](t *testing.T, k kind[T]) {
	t.Helper()
	s, x := added(t, k, "soup", "bread", "salt")
	a, b, c := x[0], x[1], x[2]
	s.received(a, "sync")
	s.received(b, "list")
	s.received(a, "list", "gc", "sync", "list")
	s.write(a, k.first)
	s.write(b, k.first)
	s.write(c, k.first)
	rest := "; bread@7, received by list; salt@7, received by nobody"
	s.check(clues{
		"soup@7, received by list" + rest: "the belief that the last one who received an object is the one who " +
			"wrote. Each of them has the pointer since",
		"soup@7, received by sync" + rest: "the belief that the first one who received an object is the one who " +
			"wrote. Each of them has the pointer since",
	}, a.by("gc", "list", "sync"), b.by("list"), c.by())

	s, x = added(t, k, "soup")
	s.received(x[0], "b", "B", "a", "10", "9", "a,b", "a b", "a")
	s.write(x[0], k.second)
	s.check(nil, x[0].by("10", "9", "B", "a", "a b", "a,b", "b"))

	s, x = added(t, k, "soup")
	s.write(x[0], k.first)
	s.received(x[0], "list")
	s.check(clues{"soup@7, received by nobody": "the belief that an object is written to once. Whoever received it " +
		"after the first write may have made another"}, x[0].by("list"))

	s, x = added(t, k, "soup", "soup")
	next := s.object("soup", "8")
	s.add(next)
	s.received(x[1], "list")
	s.received(next, "sync")
	s.write(x[0], k.first)
	s.write(x[1], k.first)
	s.write(next, k.first)
	s.check(nil, x[0].by(), x[1].by("list"), next.by("sync"))
}

func TestReceivedSinceItWasIntact(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	sinceIntact(t, others)
	sinceIntact(t, recipes)
}

func sinceIntact[T Object[T]](t *testing.T, k kind[T]) {
	t.Helper()
	const forgets = "the belief that a report closes the case. Who received the object before it can write again"
	const keeps = "the belief that whoever once received an object is under suspicion for good. " +
		"Since then, a Check has found it intact"
	s, x := added(t, k, "soup")
	a := x[0]
	s.received(a, "list")
	s.check(nil)
	s.received(a, "sync")
	s.write(a, k.first)
	s.check(clues{"soup@7, received by list and sync": keeps}, a.by("sync"))

	s, x = added(t, k, "soup")
	a = x[0]
	s.received(a, "sync")
	s.write(a, k.first)
	s.check(nil, a.by("sync"))
	s.received(a, "audit")
	s.write(a, k.second)
	s.check(clues{"soup@7, received by audit": forgets}, a.by("audit", "sync"))
	s.write(a, k.undo)
	s.check(clues{"soup@7, received by nobody": forgets}, a.by("audit", "sync"))
	s.check(nil) // it is intact now
	s.write(a, k.first)
	s.check(clues{"soup@7, received by audit and sync": keeps}, a.by())

	s, x = added(t, k, "soup")
	a = x[0]
	for _, w := range []write[T]{k.first, k.second, k.undo} {
		s.received(a, "list")
		s.check(nil)
		s.write(a, w)
		s.check(clues{"soup@7, received by list": keeps}, a.by())
		s.check(nil)
	}

	s, x = added(t, k, "soup", "bread") // each by itself
	a, b := x[0], x[1]
	s.received(a, "list")
	s.received(b, "gc")
	s.write(b, k.first)
	s.check(nil, b.by("gc"))
	s.write(a, k.first)
	s.write(b, k.second)
	s.check(nil, a.by(), b.by("gc"))
}

func TestNotWatched(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	notWatched(t, others)
	notWatched(t, recipes)
}

func notWatched[T Object[T]](t *testing.T, k kind[T]) {
	t.Helper()
	s := begin(t, k)
	a, b := s.object("soup", "7"), s.object("bread", "7")
	s.received(a, "list")
	s.write(a, k.first)
	s.check(nil)
	s.remove(a)
	s.add(b)
	s.remove(a)
	s.check(nil)
	s.received(a, "list")
	s.add(a)
	s.check(nil)
	s.write(a, k.second)
	s.write(b, k.second)
	s.check(nil, b.by(), a.by())

	s, x := added(t, k, "soup")
	a, b = x[0], s.object("soup", "7") // b is like a, and only a is watched
	s.received(b, "list")
	s.remove(b)
	s.write(b, k.first)
	s.check(nil)
	s.write(a, k.second)
	s.received(b, "sync")
	s.check(nil, a.by())

	s = begin(t, k)
	a = s.object("soup", "7")
	s.received(a, "list")
	s.add(a)
	s.write(a, k.first)
	s.check(clues{"soup@7, received by list": "the belief that a call site may be noted before there is anything " +
		"to note it for. What is received and never added would be kept for ever"}, a.by())
}

func TestAddAgain(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	addAgain(t, others)
	addAgain(t, recipes)
}

func addAgain[T Object[T]](t *testing.T, k kind[T]) {
	t.Helper()
	const blessed = "the belief that an Add says what the object should be. A list that is read anew adds what is " +
		"there already, and what was written meanwhile would be right from then on"
	s, x := added(t, k, "soup", "bread")
	a, b := x[0], x[1]
	s.received(a, "list")
	s.add(a)
	s.check(nil)
	s.received(a, "sync")
	s.write(a, k.first)
	s.add(a)
	s.check(clues{"nothing": blessed}, a.by("sync"))
	s.check(nil)
	s.write(b, k.first)
	s.write(a, k.second)
	s.add(b)
	s.add(a)
	s.check(nil, a.by(), b.by())
}

func TestRemove(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	removes(t, others)
	removes(t, recipes)
}

func removes[T Object[T]](t *testing.T, k kind[T]) {
	t.Helper()
	for i := range 3 { // the first, the one between, the last
		s, x := added(t, k, "soup", "bread", "salt")
		a := x[i]
		left := []report[T]{x[0].by(), x[1].by(), x[2].by()}
		left = slices.Delete(left, i, i+1)
		s.received(a, "list")
		for _, one := range x {
			s.write(one, k.first)
		}
		s.remove(a)
		s.check(nil, left...)
		s.write(a, k.second)
		s.check(nil)

		s.remove(a)
		s.add(a) // as it is now
		s.check(nil)
		for _, one := range x {
			s.write(one, k.undo)
		}
		s.check(nil, append(left, a.by())...) // and behind the others
	}

	s, x := added(t, k, "soup")
	s.received(x[0], "list")
	s.remove(x[0])
	s.add(x[0])
	s.write(x[0], k.first)
	s.check(nil, x[0].by())
	s.received(x[0], "sync")
	s.write(x[0], k.second)
	s.remove(x[0])
	s.received(x[0], "gc")
	s.add(x[0])
	s.write(x[0], k.undo)
	s.check(nil, x[0].by())

	s, x = added(t, k, "soup")
	s.add(x[0])
	s.remove(x[0]) // once is enough
	s.write(x[0], k.first)
	s.check(nil)
}

// What the detector forgets, nothing else holds here: the garbage collector can take it.
func TestRemovedIsNotKept(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	removedIsNotKept(t, "the first one first", func([]*Recipe) {})
	removedIsNotKept(t, "the last one first", slices.Reverse[[]*Recipe])
}

func removedIsNotKept(t *testing.T, order string, arrange func([]*Recipe)) {
	t.Helper()
	const many = 60
	d, stays := New[*Recipe](), recipes.made("stays", "7")
	d.Add(stays)
	var objects []*Recipe
	var left []weak.Pointer[Recipe]
	for i := range many {
		r := recipes.made(fmt.Sprint("r", i), "7")
		objects, left = append(objects, r), append(left, weak.Make(r))
		d.Add(r)
		d.Received(r, "list")
	}
	d.Check()
	arrange(objects)
	for _, r := range objects {
		d.Remove(r)
	}
	clear(objects)
	d.Check()
	runtime.GC()
	kept := 0
	for _, w := range left {
		if w.Value() != nil {
			kept++
		}
	}
	runtime.KeepAlive(d)
	exercise.Expect(t, kept < many/2, exercise.Verdict{
		Expected: fmt.Sprintf("%d objects were added and removed, %s; nothing keeps them in memory", many, order),
		Happened: fmt.Sprintf("%d are still there", kept),
	})
}

func TestReportsAreTheCallers(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	reportsAreTheCallers(t, others)
	reportsAreTheCallers(t, recipes)
}

func reportsAreTheCallers[T Object[T]](t *testing.T, k kind[T]) {
	t.Helper()
	s, x := added(t, k, "soup", "bread")
	a, b := x[0], x[1]
	s.received(a, "list", "sync")
	s.write(a, k.first)
	s.write(b, k.first)
	got := s.check(nil, a.by("list", "sync"), b.by())
	k.second.do(got[0].Was)
	k.undo.do(got[1].Was)
	sites := got[0].ReceivedBy[:cap(got[0].ReceivedBy)]
	for i := range sites {
		sites[i] = "the caller"
	}
	got[0], got[1] = got[1], Mutation[T]{}
	s.say("the caller writes to each Was and ReceivedBy of that")
	s.write(a, k.second)
	got = s.check(nil, a.by("list", "sync"))

	like := Mutation[T]{Was: got[0].Was.DeepCopy(), ReceivedBy: slices.Clone(got[0].ReceivedBy)}
	s.received(a, "gc", "audit", "z")
	s.write(a, k.undo)
	s.write(b, k.second)
	s.check(nil, a.by("audit", "gc", "list", "sync", "z"), b.by())
	s.check(nil)
	s.received(a, "new")
	s.write(b, k.undo)
	s.check(nil, b.by())
	happened := ""
	switch is := got[0]; {
	case is.Object != a.object || !slices.Equal(is.ReceivedBy, like.ReceivedBy):
		happened = "it is the report about " + s.describe(got)[0]
	case !reflect.DeepEqual(is.Was, like.Was):
		happened = "in its Was, " + differences(is.Was, like.Was)
	}
	exercise.Expect(t, happened == "", exercise.Verdict{
		Expected: fmt.Sprintf("after %s: what the second Check returned is still the report about %s", s.story(),
			describe(a.label, like.ReceivedBy)),
		Happened: happened,
	})
}

// Two objects that are equal have copies that are equal, and the caller may spoil one.
func TestReportsOfEqualObjects(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	reportsOfEqualObjects(t, others)
	reportsOfEqualObjects(t, recipes)
}

func reportsOfEqualObjects[T Object[T]](t *testing.T, k kind[T]) {
	t.Helper()
	s, x := added(t, k, "soup", "soup")
	s.write(x[0], k.first)
	got := s.check(nil, x[0].by())
	k.second.do(got[0].Was)
	s.say("the caller writes to Was of that")
	s.check(nil)
	s.write(x[1], k.first)
	s.check(nil, x[1].by())
}

func TestTwoDetectors(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	twoDetectors(t, others)
	twoDetectors(t, recipes)
}

func twoDetectors[T Object[T]](t *testing.T, k kind[T]) {
	t.Helper()
	s, x := added(t, k, "soup")
	a := x[0]
	s.received(a, "list")
	other := begin(t, k)
	other.log[0] = s.story() + "; a second detector, for the same soup: " + other.log[0]
	other.check(nil)
	second := &thing[T]{label: a.label, object: a.object, made: a.made}
	other.things = append(other.things, second)
	other.add(second)
	s.write(a, k.first)
	other.write(second, k.first) // it is there already
	s.check(nil, a.by("list"))
	other.check(nil, second.by())
	s.remove(a)
	s.check(nil)
	other.write(second, k.second)
	a.writes = append(a.writes, k.second)
	other.check(nil, second.by())
	s.check(nil)
}

// together calls do n times, each in a goroutine of its own, and waits for all.
func together(n int, do func(i int)) {
	begin := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-begin
			do(i)
		})
	}
	close(begin)
	all.Wait()
}

// crowd is a scene with many objects that are not watched yet.
func crowd(t *testing.T) (*scene[*otherObject], []*thing[*otherObject]) {
	s := begin(t, others)
	for i := range 40 {
		s.object(fmt.Sprint("o", i), "7")
	}
	return s, s.things
}

func TestManyAtTheSameTime(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	for range 8 {
		s, x := crowd(t)
		var early atomic.Value
		together(6, func(i int) {
			switch i {
			case 0, 1:
				for range 30 {
					for _, m := range s.d.Check() {
						early.Store(m.Object.Name)
					}
				}
			case 2, 3: // adds every other one, and removes half of those
				for j := i % 2; j < len(x); j += 2 {
					s.d.Add(x[j].object)
					if removed(j) {
						s.d.Remove(x[j].object)
					}
				}
			case 4: // receives and reads
				for _, one := range x {
					s.d.Received(one.object, "list")
					one.object.DeepCopy()
				}
			case 5: // drops others
				for range x {
					s.d.Remove(s.kind.made("o0", "8"))
				}
			}
		})
		exercise.Expect(t, early.Load() == nil, exercise.Verdict{
			Expected: "while several goroutines add, remove and receive, and nobody writes, Check reports nothing",
			Happened: fmt.Sprintf("it reported %v", early.Load()),
		})
		for n := range 6 {
			written := []write[*otherObject]{s.kind.first, s.kind.undo}[n%2]
			for _, one := range x {
				written.do(one.object)
			}
			onceEach(s, x)
		}
	}
}

func removed(j int) bool { return j%4 > 1 }

// onceEach has several Checks at the same time find what was written.
func onceEach[T Object[T]](s *scene[T], x []*thing[T]) {
	s.t.Helper()
	found := make([][]Mutation[T], 4)
	together(len(found), func(i int) { found[i] = s.d.Check() })
	times := map[T]int{}
	for _, m := range slices.Concat(found...) {
		times[m.Object]++
	}
	for j, one := range x {
		want, what := 1, "added"
		if removed(j) {
			want, what = 0, "added and removed"
		}
		exercise.Expect(s.t, times[one.object] == want, exercise.Verdict{
			Expected: fmt.Sprintf("%s was %s while Checks ran; then somebody wrote to it, "+
				"and of four Checks at the same time %d report it", one.label, what, want),
			Happened: fmt.Sprintf("%d did", times[one.object]),
		})
	}
}

func TestAddedByManyAtTheSameTime(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	sites := []string{"audit", "gc", "list", "sync"}
	for range 20 {
		s, x := crowd(t)
		together(len(sites), func(i int) {
			for _, one := range x {
				s.d.Add(one.object)
				s.d.Received(one.object, sites[i])
			}
		})
		for _, one := range x {
			s.kind.first.do(one.object)
		}
		found := s.describe(s.d.Check())
		slices.Sort(found) // they were added in any order
		var want []string
		for _, one := range x {
			want = append(want, describe(one.label, sites))
		}
		slices.Sort(want)
		for i := range max(len(found), len(want)) {
			f, w := at(found, i), at(want, i)
			exercise.Expect(t, f == w, exercise.Verdict{
				Expected: fmt.Sprintf("four goroutines each call Add and Received for each of %d objects, by %s; "+
					"then somebody writes to all, and Check reports %s", len(x), strings.Join(sites, ", "), w),
				Happened: "it reported " + f,
			})
		}
	}
}

func at(s []string, i int) string {
	if i < len(s) {
		return s[i]
	}
	return "no more"
}

func TestReceivedAtTheTimeOfACheck(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	s, x := crowd(t)
	for _, one := range x {
		s.add(one)
	}
	var before []string
	for round := range 25 {
		written := []write[*otherObject]{s.kind.first, s.kind.undo}[round%2]
		for _, one := range x {
			written.do(one.object)
		}
		var got []Mutation[*otherObject]
		sites := []string{fmt.Sprintf("list%02d", round), fmt.Sprintf("sync%02d", round)}
		together(3, func(i int) {
			if i == 0 {
				got = s.d.Check()
				return
			}
			for _, one := range x {
				s.d.Received(one.object, sites[i-1])
			}
		})
		exercise.Expect(t, len(got) == len(x), exercise.Verdict{
			Expected: fmt.Sprintf("somebody wrote to %d objects; Check reports all, while they are received", len(x)),
			Happened: fmt.Sprintf("it reported %d", len(got)),
		})
		for _, m := range got {
			for _, site := range before {
				exercise.Expect(t, slices.Contains(m.ReceivedBy, site), exercise.Verdict{
					Expected: fmt.Sprintf("no Check finds %s intact, and so each report has all that received it "+
						"before, also at the time of a Check", m.Object.Name),
					Happened: fmt.Sprintf("a report has no %s", site),
				})
			}
		}
		before = append(before, sites...)
	}
}

// What no other test has thought of, in short stories first.
func TestAnyStory(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	anyStory(t, others)
	anyStory(t, recipes)
}

func anyStory[T Object[T]](t *testing.T, k kind[T]) {
	t.Helper()
	random := rand.New(rand.NewPCG(4, 3))
	const stories = 160
	for n := range stories {
		s := begin(t, k)
		x := []*thing[T]{s.object("soup", "7"), s.object("soup", "7"), s.object("soup", "8")}
		writes, sites := []write[T]{k.first, k.second, k.undo}, []string{"list", "sync"}
		m := model[T]{}
		m.add(x[0])
		s.add(x[0])
		for range 3 + 12*n/stories {
			one := x[random.IntN(len(x))]
			switch random.IntN(10) {
			case 0, 1:
				m.add(one)
				s.add(one)
			case 2:
				m.remove(one)
				s.remove(one)
			case 3, 4:
				by := sites[random.IntN(len(sites))]
				m.received(one, by)
				s.received(one, by)
			case 5, 6, 7:
				s.write(one, writes[random.IntN(len(writes))])
			default:
				s.check(nil, m.check()...)
			}
		}
		s.check(nil, m.check()...)
	}
}

func version(object any) string {
	return reflect.ValueOf(object).Elem().FieldByName("ResourceVersion").String()
}

func asJSON(object any) string {
	text, _ := json.Marshal(object)
	return string(text)
}

package index_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/exercises/1-index"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestPut(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	x := begin(t)
	x.holds()
	x.put("a", "red")
	x.put("b", "blue")
	x.put("c", "red")
	x.put("d", "red")
	x.put("e", "blue")
	other := begin(t)
	other.holds()
	other.put("a", "blue")
	x.holds()
}

func TestAnotherValue(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	x := begin(t)
	x.put("a", "red")
	x.put("b", "red")
	x.put("a", "blue")
	x.put("b", "blue")
	x.put("a", "red")
	x.put("a", "green")
	x.put("a", "blue")
	x.put("c", "red")
	x.put("b", "red")
	x.put("a", "red")
}

func TestTheSameValue(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	x := begin(t)
	x.put("a", "red")
	x.put("a", "red")
	x.put("b", "red")
	x.put("a", "red")
	x.put("b", "red")
	x.put("a", "red")
	x.put("a", "blue")
	x.put("a", "blue")
	twin := *x.state["a"]
	x.do(put(&twin))
	x.do(put(&twin))
}

func TestDelete(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	x := begin(t)
	x.remove("a")
	x.put("a", "red")
	x.put("b", "red")
	x.put("c", "blue")
	x.remove("d")
	x.remove("a")
	x.remove("a")
	x.remove("red")
	x.remove("b")
	x.put("b", "red")
	x.put("a", "blue")
	x.remove("c")
	x.remove("a")
	x.remove("b")
	x.remove("b")
	x.put("c", "blue")
}

func TestReplace(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	x := begin(t)
	x.replace("a", "red", "b", "red", "c", "blue")
	x.replace("c", "blue", "d", "red", "e", "green") // others
	x.replace("c", "red", "d", "blue", "e", "green") // the same with other values
	x.put("c", "green")
	x.put("f", "red")
	x.remove("d")
	x.replace("c", "green", "g", "red")
	x.remove("c")
	x.replace()
	x.replace()
	x.put("c", "red")
	x.put("d", "red")
	x.do(replace(x.List()...))
	x.remove("d")
	x.do(replace([]*object{}...))
	x.put("a", "red")
	x.replace("b", "red")
	x.remove("b")
}

func TestReplaceWithOneKeyTwice(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	x := begin(t)
	x.replace("a", "red", "a", "blue")
	x.put("a", "green")
	x.replace("a", "red", "b", "red", "a", "red")
	x.replace("a", "red", "b", "blue", "a", "blue", "b", "green", "a", "red")
	x.remove("a")
	x.put("b", "red")
	x.remove("b")
}

// What nobody thought of above.
func TestManyWrites(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	random := rand.New(rand.NewPCG(4, 1))
	pair := func() (name, color string) {
		return string("abcdef"[random.IntN(6)]), []string{"red", "blue", "green"}[random.IntN(3)]
	}
	x := begin(t)
	for range 200 {
		name, color := pair()
		switch n := random.IntN(12); {
		case n < 7:
			x.put(name, color)
		case n < 11:
			x.remove(name)
		default:
			var pairs []string
			for range random.IntN(5) {
				name, color := pair()
				pairs = append(pairs, name, color)
			}
			x.replace(pairs...)
		}
		x.seen = x.seen[max(0, len(x.seen)-40):]
	}
}

func TestAnyText(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	texts := []string{
		"", " ", "a", "A", "a ", "aa", "0", "nil", "<nil>", "*", "a*", "%s", "\xff", "\xfe", "\x00", "a\x00",
		"a/", "/a", "\u00e9", "e\u0301", "\n", strings.Repeat("a", 70), strings.Repeat("a", 69) + "b",
		"costarring", "liquid", "plumless", "buckeroo", "Aa", "BB", // pairs with one FNV, one CRC, one hash in Java
	}
	x := begin(t)
	for i, text := range texts {
		x.put(text, texts[(i*7+3)%len(texts)])
	}
	for i, text := range texts {
		x.put(text, texts[(i*11+5)%len(texts)])
	}
	for _, text := range texts {
		x.remove(text)
	}
	for _, joint := range strings.Split("/ , : ; | . - _ = # \x00 \x1f \t \n ->", " ") {
		x = begin(t)
		x.replace("b"+joint+"c", "a", "c", "a"+joint+"b", "a", "b"+joint+"c", "a"+joint+"b", "c")
		x.remove("c")
		x.put("a", "a")
		x.put("b"+joint+"c", "c")
	}
	x.replace("", "", "a", "")
	x.put("", "a")
	x.put("", "")
	x.remove("")
	x.put("a", "red")
}

func TestKeyAndValueGetWhatWasPut(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	x := begin(t)
	given := map[*object]bool{}
	var strange []string
	zero := false
	look := func(function string, o *object) *object {
		if given[o] {
			return o
		}
		zero = zero || o == nil
		strange = append(strange, fmt.Sprintf("%s was called with %v", function, o))
		return &object{}
	}
	x.Store = New(
		func(o *object) string { return look("key", o).name },
		func(o *object) string { return look("value", o).color },
	)
	for _, w := range []write{
		remove("a"), put(x.object("a", "red")), put(x.object("a", "blue")), put(x.object("b", "blue")), remove("c"),
		remove(""), remove("a"), remove("a"), put(x.object("", "")), put(x.object("a", "red")), remove(""),
		replace(x.object("c", "red"), x.object("b", "red"), x.object("c", "blue")), put(x.object("d", "blue")),
		remove("a"), replace(), put(x.object("a", "red")), remove("c"),
	} {
		for _, o := range w.objects {
			given[o] = true
		}
		w.to(x.Store, short)
		exercise.Expect(t, len(strange) == 0, exercise.Verdict{
			Expected: fmt.Sprintf("in %v, key and value are called with objects that were put", w),
			Happened: strings.Join(strange, ", "),
			PointsTo: onlyIf(zero, zeroIsThere),
		})
	}
}

// Objects that can't be compared, and those that are zero values.
func TestAnyType(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	at := func(i int) func([]string) string { return func(o []string) string { return o[i] } }
	holdsAny(t, at(0), at(1), func(name, color, rest string) []string { return []string{name, color, rest} })

	type plain struct {
		name, color string
		labels      map[string]string
	}
	holdsAny(t, func(o plain) string { return o.name }, func(o plain) string { return o.color },
		func(name, color, rest string) plain { return plain{name, color, map[string]string{"rest": rest}} })

	part := func(i int) func(string) string {
		return func(o string) string { return strings.Split(o+",,", ",")[i] }
	}
	holdsAny(t, part(0), part(1), func(name, color, rest string) string {
		return strings.TrimRight(strings.Join([]string{name, color, rest}, ","), ",")
	})

	anything := func(i int) func(any) string {
		return func(o any) string {
			if o == nil {
				return ""
			}
			return o.([]string)[i]
		}
	}
	holdsAny(t, anything(0), anything(1), func(name, color, rest string) any {
		if name == "" {
			return nil
		}
		return []string{name, color, rest}
	})
}

func TestSlicesOfReads(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	stranger, another := &object{"stranger", "red", 0}, &object{"another", "red", 0}
	for n := range 6 { // what there is room for differs
		for _, put := range []bool{true, false} {
			filled := func() *scene {
				x := begin(t)
				pairs := strings.Split("a red b red c red d red e red", " ")[:2*n]
				if !put {
					x.replace(pairs...)
				}
				for i := 0; put && i < len(pairs); i += 2 {
					x.put(pairs[i], pairs[i+1])
				}
				return x
			}
			x := filled()
			apart(x, "List", x.List, stranger, another)
			x = filled()
			apart(x, `ByValue of "red"`, func() []*object { return x.ByValue("red") }, stranger, another)
			x = filled()
			apart(x, "Values", x.Values, "strange", "other")
		}
	}
}

func TestSliceOfReplace(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, names := range []string{"cbabdc", "dbace", "a", ""} {
		x := begin(t)
		room := make([]*object, len(names)+2)
		for i, name := range names {
			room[i] = x.object(string(name), []string{"red", "blue"}[i%2])
		}
		given, was := room[:len(names)], inOrder(room)
		for _, w := range []write{
			replace(given...), put(x.object("f", "red")), put(x.object("b", "green")), remove("a"),
			replace(x.object("a", "red")), replace(given...),
		} {
			x.do(w)
			exercise.Expect(t, inOrder(room) == was, exercise.Verdict{
				Expected: fmt.Sprintf("after %v, a slice that Replace was given holds what it held: %s", w, was),
				Happened: "it holds " + inOrder(room),
			})
		}
		scribble(given, &object{"stranger", "red", 0})
		x.holdsStill("the slice that the last Replace was given was changed", "")
		x.put("c", "green")
	}
}

func TestReadsCallNeitherKeyNorValue(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	calls := 0
	x := begin(t)
	x.Store = New(
		func(o *object) string { calls++; return o.name },
		func(o *object) string { calls++; return o.color },
	)
	var all []*object
	for i := range 20 {
		all = append(all, x.object(strconv.Itoa(i), []string{"red", "blue"}[i%2]))
	}
	for _, w := range []write{
		replace(all...), put(x.object("b", "red")), put(x.object("3", "red")),
		put(x.object("b", "red")), put(x.object("4", "red")), remove("7"), remove("a"), remove("nobody"),
		replace(all[:5]...), put(x.object("1", "red")), replace(),
	} {
		w.to(x.Store, short)
		for _, r := range reads(short, []string{"1", "a"}, []string{"red", "blue", "green"}) {
			for range 3 {
				before := calls
				r.call(x.Store)
				exercise.Expect(t, calls == before, exercise.Verdict{
					Expected: fmt.Sprintf("after %v, %s calls neither key nor value", w, r.name),
					Happened: fmt.Sprintf("it called them %d times", calls-before),
					PointsTo: onlyIf(strings.HasPrefix(r.name, "ByValue") && calls-before >= 20, loop),
				})
			}
		}
	}
}

// What ByValue does with other values shows in a store in which there are many.
func TestByValueLooksAtNoOthers(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	for _, c := range []struct {
		after       string
		many, times int
	}{{"Put", 800, 60}, {"Replace", 400, 5}} {
		const few, factor = 10, 15
		var fewer, more time.Duration
		for range 3 { // a machine that is busy takes its time for anything
			fewer, more = timeOfByValue(t, few, c.after, c.times), timeOfByValue(t, c.many, c.after, c.times)
			if more < factor*fewer {
				break
			}
		}
		exercise.Expect(t, more < factor*fewer, exercise.Verdict{
			Expected: fmt.Sprintf("after a %s, ByValue of a value that one object has takes as long among %d values as "+
				"among %d", c.after, c.many, few),
			Happened: fmt.Sprintf("it took %v among %d, and %v among %d", fewer, few, more, c.many),
			PointsTo: loop,
		})
	}
}

func TestNothingIsKept(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	const times, size = 3000, 4 << 10
	text := func(i int) string { return pad()[:size] + strconv.Itoa(i) }
	for _, c := range []struct {
		what  string
		write func(s *Store[*object], i int)
	}{
		{"a Put of one object with another value", func(s *Store[*object], i int) { s.Put(&object{"a", text(i), i}) }},
		{"a Put and a Delete of another object", func(s *Store[*object], i int) {
			s.Put(&object{text(i), "red", i})
			s.Delete(text(i))
		}},
		{"a Put of one object with another value, and its Delete", func(s *Store[*object], i int) {
			s.Put(&object{"a", text(i), i})
			s.Delete("a")
		}},
		{"a Replace with another object", func(s *Store[*object], i int) {
			s.Replace([]*object{{text(i), text(-i), i}})
		}},
		{"a ByValue of another value that no object has", func(s *Store[*object], i int) { s.ByValue(text(i)) }},
		{"a Get and a Delete of another key that no object has", func(s *Store[*object], i int) {
			s.Get(text(i))
			s.Delete(text(i))
		}},
	} {
		s := New(nameOf, colorOf)
		s.Put(&object{"b", "blue", 0})
		before := heap()
		for i := range times {
			c.write(s, i)
		}
		grown := heap() - before
		exercise.Expect(t, grown < times*size/4, exercise.Verdict{
			Expected: fmt.Sprintf("%s, %d times with texts of %d bytes, leaves nothing behind", c.what, times, size),
			Happened: fmt.Sprintf("then %d KB more were in use than before", grown>>10),
		})
		runtime.KeepAlive(s)
	}
}

func TestMethodsLock(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	stranger := &object{"stranger", "red", 0}
	calls := []func(s *Store[*object], name string){
		func(s *Store[*object], name string) { _, _ = s.Get(name) },
		func(s *Store[*object], _ string) { scribble(s.List(), stranger) },
		func(s *Store[*object], _ string) { scribble(s.ByValue("red"), stranger) },
		func(s *Store[*object], _ string) { scribble(s.ByValue("no color"), stranger) },
		func(s *Store[*object], _ string) { scribble(s.Values(), "strange") },
		func(s *Store[*object], name string) { s.Put(&object{name, "red", 2}) },
		func(s *Store[*object], name string) { s.Put(&object{name + " new", "green", 2}) },
		func(s *Store[*object], name string) { s.Delete(name) },
		func(s *Store[*object], name string) { s.Delete(name + " unknown") },
		func(s *Store[*object], name string) {
			list := []*object{{name, "blue", 3}, {"c", "red", 3}, {name, "red", 3}}
			s.Replace(list)
			scribble(list, stranger)
		},
	}
	defer func() { methodsRace = t.Failed() }() // a bubble that fails ends the test
	exercise.Bubble(t, func(t *testing.T) {
		for _, first := range calls {
			for _, second := range calls {
				s := New(nameOf, colorOf)
				s.Replace([]*object{{"a", "red", 1}, {"b", "red", 1}, {"d", "blue", 1}})
				go first(s, "a")
				time.Sleep(time.Second)
				go second(s, "b")
				time.Sleep(time.Second)
			}
		}
	})
}

// While a write waits for key or value, others read. Whether these wait for the write is the store's affair.
func TestReadsDuringAWrite(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	needsLocks(t)
	all := reads(short, someNames, someColors)
	for _, w := range someWrites(2) {
		for n, more := 1, true; more && n < 50; n++ {
			var h *history
			seen := make([][]*sighting, len(all))
			h, more = paused(w, n, func(h *history, running *sync.WaitGroup) {
				var each []func()
				for i := range all {
					each = append(each, func() {
						for _, r := range slices.Concat(all[i:], all[:i]) {
							seen[i] = append(seen[i], h.look(r))
						}
					})
				}
				aside(running, each...)
			})
			h.seen = slices.Concat(seen...)
			for _, r := range all {
				h.seen = append(h.seen, h.look(r))
			}
			h.check(t)
		}
	}
}

func TestWritesDuringAWrite(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	needsLocks(t)
	all := reads(short, someNames, someColors)
	for _, w := range someWrites(2) {
		for _, other := range someWrites(3)[2:6] {
			for n, more := 1, true; more && n < 50; n++ {
				var h *history
				h, more = paused(w, n, func(h *history, running *sync.WaitGroup) {
					aside(running, func() { other.to(h.store, short) })
				})
				if more {
					h.either(t, all, other)
				}
			}
		}
	}
}

func TestReadsAmongWrites(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	needsLocks(t)
	var many []write
	for version := range 60 {
		w := replace()
		for i := range 150 {
			w.objects = append(w.objects, &object{strconv.Itoa(i), someColors[version%2], version})
		}
		many = append(many, w)
	}
	h := newHistory(short, nothing, many[0].objects...)
	h.crowd(reads(short, nil, someColors), many[1:])
	h.check(t)
	many = nil
	for version := range 200 {
		many = append(many, someWrites(version+2)...)
	}
	h = newHistory(short, nothing, someObjects()...)
	h.crowd(reads(short, someNames, someColors), many)
	h.check(t)
	begun := time.Now()
	for i, w := range slices.Concat(someWrites(2), someWrites(2)) {
		if time.Since(begun) > 2*time.Second {
			break // on a machine that has other things to do
		}
		text := []texts{short, long}[(i+i/8)%2] // each write with both
		h := newHistory(text, nothing, someObjects()...)
		h.followed(reads(text, someNames, someColors), w, put(&object{"d", "blue", 3}), put(&object{"b", "green", 4}))
		h.check(t)
	}
}

func TestWritesAtOnce(t *testing.T) {
	exercise.Attempted(t, hangs, leaks)
	needsLocks(t)
	for round := range 20 {
		var all []write
		for i, color := range slices.Concat(someColors, someColors) {
			all = append(all, put(&object{"a", color, i + 2}))
			switch round % 4 {
			case 1:
				all = append(all, remove("a"))
			case 2: // each its own
				all[i] = put(&object{"a" + strconv.Itoa(i), color, i + 2})
			case 3:
				all = append(all, replace(&object{"a", color, i + 20}, &object{"b", "red", i + 20}))
			}
		}
		newHistory(short, nothing, someObjects()...).together(t, all)
	}
}

package index_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/exercises/1-index"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// What a hang and a goroutine left behind point to.
var (
	hangs = exercise.HangMeans("a call that returned with the lock, or that called a method which wants it too: " +
		"whoever comes next waits for ever; or a loop without an end")
	leaks = exercise.LeakMeans("the belief that whoever uses a store also ends it")
)

// What a failure can point to, where what was seen singles it out.
const (
	onlyAdds = "the belief that an index has to hear only where an object is now: nothing else takes it away from " +
		"where it was"
	sameValue = "the belief that nothing changes when the value does not: an object is more than its value, and this " +
		"index still hands out the old one"
	itself = "the belief that the new object takes the place of the old one by itself: to this index they are two, " +
		"for it does not know them by their key"
	noOthers    = "the belief that a value has one object: the one that came last took the place of the others"
	takesAll    = "the belief that a value has one object: with that one, the others were deleted"
	onlyItems   = "the belief that what is deleted by its key is gone: the index has to hear of it too"
	replaceAdds = "the belief that a list brings news: what it lacks is gone, and nothing else will ever say so"
	indexStays  = "the belief that the index follows by itself: Replace exchanged the objects, and here the old are " +
		"still found"
	lastOfList  = "the belief that a list has one object for a key: the index still knows an earlier one of this list"
	emptySets   = "the belief that an empty set is no set: here one is kept for a value that no object has any more"
	perObject   = "the belief that each object has a value of its own: several have this one"
	loop        = "the belief that to look at all objects is to have an index: it is there so that nobody has to"
	handedOut   = "the belief that what is handed out is only read: who sorts or filters it changes what others have"
	twoSteps    = "the belief that two steps are one when each is safe: in between, others read"
	stillHolds  = "the belief that what a write has looked up still holds when it writes: in between, others write"
	zeroIsThere = "the belief that what is not there can be asked for its value: what was not found is no object"
)

// onlyIf is a belief where what was seen singles it out, and else nothing.
func onlyIf(seen bool, belief string) string {
	if seen {
		return belief
	}
	return ""
}

// object is what most stores of the tests hold. The version tells two of one name and color apart.
type object struct {
	name, color string
	version     int
}

// nameOf is for those too who ask for the name of what is not there: [TestKeyAndValueGetWhatWasPut] tells them.
func nameOf(o *object) string {
	if o == nil {
		return ""
	}
	return o.name
}

func colorOf(o *object) string {
	if o == nil {
		return ""
	}
	return o.color
}

func (o *object) String() string {
	if o == nil {
		return "nil"
	}
	return plain(o.name) + "=" + plain(o.color) + " v" + strconv.Itoa(o.version)
}

// plain is a text, in quotes if it needs them to be read.
func plain(text string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	if text == "" || strings.Trim(text, letters) != "" {
		return strconv.Quote(text)
	}
	return text
}

// held is what a store holds, as a story begins.
func held(s state) string {
	if len(s) > 10 {
		return fmt.Sprintf("the store holds %d objects", len(s))
	}
	return "the store holds " + shown(s.list())
}

// shown are objects or texts in words, in an order of their own.
func shown[T any](all []T) string {
	words := make([]string, len(all))
	for i, one := range all {
		words[i] = fmt.Sprint(one)
		if text, ok := any(one).(string); ok {
			words[i] = strconv.Quote(text)
		}
	}
	if len(words) == 0 {
		return "none"
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// inOrder are objects in words, in their order.
func inOrder(all []*object) string { return strings.Trim(fmt.Sprint(all), "[]") }

// A state is what a store holds, by name.
type state map[string]*object

func (s state) list() []*object { return slices.Collect(maps.Values(s)) }

func (s state) colored(color string) []*object {
	return slices.DeleteFunc(s.list(), func(o *object) bool { return o.color != color })
}

func (s state) colors() []string {
	colors := map[string]bool{}
	for _, o := range s {
		colors[o.color] = true
	}
	return slices.Collect(maps.Keys(colors))
}

// A write is a call that changes a store.
type write struct {
	call    string    // "Put", "Delete" or "Replace"
	objects []*object // that it is given
	name    string    // or that it deletes
}

func put(o *object) write           { return write{call: "Put", objects: []*object{o}} }
func remove(name string) write      { return write{call: "Delete", name: name} }
func replace(list ...*object) write { return write{call: "Replace", objects: list} }

func (w write) is(call string) bool { return w.call == call }

func (w write) String() string {
	switch {
	case w.is("Delete"):
		return fmt.Sprintf("Delete of %q", w.name)
	case w.is("Put"):
		return fmt.Sprintf("Put of %v", w.objects[0])
	case len(w.objects) == 0:
		return "Replace with no objects"
	}
	if n := len(w.objects) - 6; n > 2 {
		return fmt.Sprintf("Replace with %s and %d more", inOrder(w.objects[:6]), n)
	}
	return "Replace with " + inOrder(w.objects)
}

// to makes it in a store.
func (w write) to(s *Store[*object], text texts) {
	switch w.call {
	case "Put":
		s.Put(w.objects[0])
	case "Delete":
		s.Delete(text(w.name))
	case "Replace":
		s.Replace(w.objects)
	}
}

// after is what a store holds that held a state before.
func (w write) after(s state) state {
	next := state{}
	if !w.is("Replace") {
		maps.Copy(next, s)
	}
	for _, o := range w.objects {
		next[o.name] = o
	}
	if w.is("Delete") {
		delete(next, w.name)
	}
	return next
}

// A scene is a store, what it has to hold, and what was done with it.
type scene struct {
	t *testing.T
	*Store[*object]
	state    state
	versions int
	seen     []*object // all that there ever were
	before   string    // what it held before the last write
	last     write

	// What happened to a slice that it was given or has handed out, and what a failure then points to.
	slice, sliceMeans string
}

func begin(t *testing.T) *scene { return &scene{t: t, Store: New(nameOf, colorOf), state: state{}} }

// object is a new one.
func (x *scene) object(name, color string) *object {
	x.versions++
	o := &object{name, color, x.versions}
	x.seen = append(x.seen, o)
	return o
}

func (x *scene) put(name, color string) { x.t.Helper(); x.do(put(x.object(name, color))) }
func (x *scene) remove(name string)     { x.t.Helper(); x.do(remove(name)) }

// replace takes names and colors.
func (x *scene) replace(pairs ...string) {
	x.t.Helper()
	var list []*object
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, x.object(pairs[i], pairs[i+1]))
	}
	x.do(replace(list...))
}

func (x *scene) do(w write) {
	x.t.Helper()
	x.before, x.last = held(x.state), w
	w.to(x.Store, short)
	x.state = w.after(x.state)
	x.holds()
}

// holds looks at the store through all of its reads.
func (x *scene) holds() {
	x.t.Helper()
	names, colors := map[string]bool{"": true, "nobody": true}, map[string]bool{"": true, "no color": true}
	for _, o := range x.seen {
		names[o.name], colors[o.color] = true, true
	}
	for _, name := range slices.Sorted(maps.Keys(x.state)) {
		x.gets(name)
		delete(names, name)
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		x.gets(name)
	}
	x.finds("List", x.List(), x.state.list(), "")
	for _, color := range slices.Sorted(maps.Keys(colors)) {
		got := x.ByValue(color)
		x.finds(fmt.Sprintf("ByValue of %q", color), got, x.state.colored(color), x.aboutByValue(got, color))
	}
	got := x.Values()
	if shown(got) != shown(x.state.colors()) {
		x.fail("Values", shown(x.state.colors()), shown(got), x.aboutValues(got))
	}
}

// holdsStill looks at it after something happened to a slice.
func (x *scene) holdsStill(slice, pointsTo string) {
	x.t.Helper()
	x.before, x.slice, x.sliceMeans = held(x.state), slice, pointsTo
	x.holds()
	x.slice = ""
}

func (x *scene) gets(name string) {
	x.t.Helper()
	got, ok := x.Get(name)
	want, there := x.state[name]
	if got == want && ok == there {
		return
	}
	merged := ok && !there && x.last.is("Replace") && len(x.last.objects) > 0
	x.fail(fmt.Sprintf("Get of %q", name), fmt.Sprintf("%v and %v", want, there), fmt.Sprintf("%v and %v", got, ok),
		onlyIf(merged, replaceAdds))
}

// finds compares objects. They are the same only if they are the very same.
func (x *scene) finds(call string, got, want []*object, pointsTo string) {
	x.t.Helper()
	counts := map[*object]int{}
	for _, o := range want {
		counts[o]++
	}
	for _, o := range got {
		if counts[o]--; counts[o] == 0 {
			delete(counts, o)
		}
	}
	if len(counts) > 0 {
		x.fail(call, shown(want), shown(got), pointsTo)
	}
}

func (x *scene) fail(call, want, got, pointsTo string) {
	x.t.Helper()
	story := fmt.Sprintf("%s; after %s,", x.before, x.last)
	switch {
	case x.slice != "":
		story, pointsTo = fmt.Sprintf("%s; %s; after that", x.before, x.slice), x.sliceMeans
	case x.last.is(""):
		story = "in a new store,"
	}
	if got == want {
		got += ", but an earlier object that looks the same"
	}
	exercise.Fail(x.t, exercise.Verdict{
		Expected: fmt.Sprintf("%s %s returns %s", story, call, want),
		Happened: "it returned " + got,
		PointsTo: pointsTo,
	})
}

// aboutByValue finds the belief that a wrong answer points to. What Get and List answered was right.
func (x *scene) aboutByValue(got []*object, color string) string {
	for _, o := range got {
		if o == nil {
			return x.aboutGone(nil, color)
		}
		now, there := x.state[o.name]
		switch {
		case o == now && o.color == color:
		case !there || x.last.is("Replace"):
			return x.aboutGone(o, color)
		case !x.had(o.name, color):
			return ""
		case now.color != color:
			return onlyAdds
		case slices.Contains(got, now):
			return itself
		default:
			return sameValue
		}
	}
	want := x.state.colored(color)
	switch {
	case len(got) == 0 && len(want) > 0 && x.last.is("Delete"):
		return takesAll
	case len(got) == 1 && len(want) > 1 && got[0].version == x.versions:
		return noOthers
	}
	return ""
}

// had reports whether an object was ever found under that color.
func (x *scene) had(name, color string) bool {
	return slices.ContainsFunc(x.seen, func(o *object) bool { return o.name == name && o.color == color })
}

// aboutGone is about an object that a Delete or a Replace has taken away; nil is one of a name that nobody has.
func (x *scene) aboutGone(o *object, color string) string {
	if !x.last.is("Replace") {
		return onlyIf(x.last.is("Delete") && (o == nil || x.had(o.name, color)), onlyItems)
	}
	listed := func(l *object) bool { return o != nil && l.name == o.name && l.color == color }
	if slices.ContainsFunc(x.last.objects, listed) {
		return lastOfList
	}
	return indexStays
}

// aboutValues does the same. What ByValue answered was right too.
func (x *scene) aboutValues(got []string) string {
	colors, kept := x.state.colors(), false
	for _, color := range got {
		had := slices.ContainsFunc(x.seen, func(o *object) bool { return o.color == color })
		switch {
		case slices.Contains(colors, color):
		case !had:
			return ""
		default:
			kept = true
		}
	}
	once := len(slices.Compact(slices.Sorted(slices.Values(got))))
	return onlyIf(once < len(got), perObject) + onlyIf(once == len(got) && kept, emptySets)
}

// apart looks whether what a read returned is the caller's.
func apart[T any](x *scene, call string, read func() []T, stranger, another T) {
	x.t.Helper()
	expect := func(what, got, want string) {
		x.t.Helper()
		exercise.Expect(x.t, got == want, exercise.Verdict{
			Expected: fmt.Sprintf("%s, a slice that %s returned holds what it held: %s", what, call, want),
			Happened: "it holds " + got,
			PointsTo: handedOut,
		})
	}
	longer := append(read(), stranger)
	_ = append(read(), another)
	expect("after an append to another one", shown(longer[len(longer)-1:]), shown([]T{stranger}))
	one, two := read(), read()
	was := shown(two)
	scribble(one, stranger)
	expect("after another one was changed", shown(two), was)
	x.holdsStill(fmt.Sprintf("a slice that %s returned was changed", call), handedOut)
	for _, w := range []write{
		put(x.object("f", "red")), put(x.object("b", "blue")), remove("a"), remove("b"),
		replace(x.object("c", "red"), x.object("g", "green"), x.object("h", "red")),
	} {
		x.do(w)
		expect(fmt.Sprintf("after %v", w), shown(two), was)
	}
}

// scribble changes what a slice holds, and what there is room for behind.
func scribble[T any](all []T, with T) {
	for i := range all {
		all[i] = with
	}
	_ = append(all, with)
}

// holdsAny looks at a store of another type.
func holdsAny[T any](t *testing.T, key, value func(T) string, object func(name, color, rest string) T) {
	t.Helper()
	s := New(key, value)
	check := func(after string, want ...string) { // "name=color"
		t.Helper()
		words := func(all []T) (words []string) {
			for _, o := range all {
				words = append(words, key(o)+"="+value(o))
			}
			return words
		}
		expect := func(call string, got, want []string) {
			t.Helper()
			exercise.Expect(t, shown(got) == shown(want), exercise.Verdict{
				Expected: fmt.Sprintf("objects of type %T; after %s, %s returns %s", *new(T), after, call, shown(want)),
				Happened: "it returned " + shown(got),
			})
		}
		having := func(has func(o, part string) bool, part string) []string {
			return slices.DeleteFunc(slices.Clone(want), func(o string) bool { return !has(o, part) })
		}
		expect("List", words(s.List()), want)
		for _, color := range []string{"", "red", "blue"} {
			expect(fmt.Sprintf("ByValue of %q", color), words(s.ByValue(color)), having(strings.HasSuffix, "="+color))
		}
		for _, name := range []string{"", "a", "b"} {
			var got []T
			if o, ok := s.Get(name); ok {
				got = append(got, o)
			}
			expect(fmt.Sprintf("Get of %q", name), words(got), having(strings.HasPrefix, name+"="))
		}
		for i, o := range want {
			_, want[i], _ = strings.Cut(o, "=")
		}
		expect("Values", s.Values(), slices.Compact(slices.Sorted(slices.Values(want))))
	}
	check("nothing")
	s.Put(object("a", "red", "1"))
	s.Put(object("a", "red", "1"))
	s.Put(object("a", "red", "2"))
	check("three Puts of one object", "a=red")
	s.Put(object("", "", ""))
	s.Put(object("", "", ""))
	check("two Puts of a zero value", "a=red", "=")
	s.Put(object("b", "red", ""))
	s.Put(object("a", "blue", ""))
	check("a Put of another object, and one of another value", "a=blue", "=", "b=red")
	s.Delete("")
	s.Delete("a")
	check("two Deletes", "b=red")
	s.Replace([]T{object("a", "red", ""), object("", "", ""), object("b", "blue", ""), object("a", "blue", "")})
	check("a Replace", "a=blue", "=", "b=blue")
	s.Replace(nil)
	check("a Replace with nothing")
}

// heap is how much memory is in use.
func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// timeOfByValue is the shortest of several times that a call takes in a store with many values, right after a write.
// The values are long, and differ at their ends only, so that it takes its time to compare two.
func timeOfByValue(t *testing.T, values int, after string, times int) time.Duration {
	t.Helper()
	all := make([]*object, values)
	for i := range all {
		all[i] = &object{name: strconv.Itoa(i), color: fmt.Sprintf("%s%06d", pad()[:4096], i)}
	}
	s := New(nameOf, colorOf)
	s.Replace(all)
	one, shortest := all[values/2], time.Duration(math.MaxInt64)
	for i := range times {
		w := put(&object{"another", all[0].color, i})
		if after == "Replace" {
			w = replace(all...)
		}
		w.to(s, short)
		begun := time.Now()
		got := s.ByValue(one.color)
		shortest = min(shortest, time.Since(begun))
		exercise.Expect(t, len(got) == 1 && got[0] == one, exercise.Verdict{
			Expected: fmt.Sprintf("after a %s, ByValue of one of %d long values finds the object that has it",
				after, values),
			Happened: fmt.Sprintf("it found %d", len(got)),
		})
	}
	return max(shortest, 1)
}

// texts are the keys and values of a test: what the store gets for a name or a color.
type texts func(label string) string

// short are those of most tests.
func short(label string) string {
	if isNoise(label) {
		return long(label)
	}
	return label
}

// long texts take a moment to look up.
func long(label string) string {
	text, ok := longTexts.Load(label)
	if !ok {
		text, _ = longTexts.LoadOrStore(label, pad()+label)
	}
	return text.(string)
}

const padding = 1 << 20

var (
	longTexts sync.Map
	pad       = sync.OnceValue(func() string { return strings.Repeat("x", padding) })
)

// label is what a text was made of.
func label(text string) string {
	if len(text) > padding {
		return text[padding:]
	}
	return text
}

// noise begins the names and colors of what others write, which no state holds.
const noise = "noise"

func isNoise(label string) bool { return strings.HasPrefix(label, noise) }

// A read is a call that finds something. want is what it finds in a state.
type read struct {
	name string
	call func(s *Store[*object]) found
	want func(s state) found
}

// found is what a read has found: objects, or values.
type found struct {
	objects []*object
	values  []string
}

// String leaves out what is noise. It counts the objects where there are many.
func (f found) String() string {
	words := make([]string, 0, 10)
	counts := map[object]int{}
	for _, o := range f.objects {
		switch {
		case o != nil && isNoise(o.name):
		case o != nil && len(f.objects) > 10:
			counts[object{color: o.color, version: o.version}]++
		default:
			words = append(words, o.String())
		}
	}
	for o, n := range counts {
		words = append(words, fmt.Sprintf("%d objects of value %s v%d", n, plain(o.color), o.version))
	}
	for _, v := range f.values {
		if !isNoise(label(v)) {
			words = append(words, strconv.Quote(label(v)))
		}
	}
	if len(words) == 0 {
		return "none"
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// reads are all that there are to find these names and colors.
func reads(text texts, names, colors []string) []read {
	all := []read{{"List",
		func(s *Store[*object]) found { return found{objects: s.List()} },
		func(s state) found { return found{objects: s.list()} },
	}, {"Values",
		func(s *Store[*object]) found { return found{values: s.Values()} },
		func(s state) found { return found{values: s.colors()} },
	}}
	one := func(o *object, ok bool) found {
		if ok {
			return found{objects: []*object{o}}
		}
		return found{}
	}
	for _, name := range names {
		key := text(name)
		all = append(all, read{fmt.Sprintf("Get of %q", name),
			func(s *Store[*object]) found { return one(s.Get(key)) },
			func(s state) found { return one(s[name], s[name] != nil) },
		})
	}
	for _, color := range colors {
		value := text(color)
		all = append(all, read{fmt.Sprintf("ByValue of %q", color),
			func(s *Store[*object]) found { return found{objects: s.ByValue(value)} },
			func(s state) found { return found{objects: s.colored(color)} },
		})
	}
	return all
}

// What is read and written in the tests of several at once.
var (
	someNames  = []string{"a", "b", "d"}
	someColors = []string{"red", "blue", "green"}
)

func someObjects() []*object { return []*object{{"a", "red", 1}, {"b", "red", 1}, {"c", "blue", 1}} }

func someWrites(version int) []write {
	a := func(color string) *object { return &object{"a", color, version} }
	return []write{
		put(a("green")), put(a("red")), put(a("blue")), put(&object{"d", "red", version}), remove("a"),
		replace(a("blue"), &object{"b", "red", version}, &object{"d", "green", version}),
		replace(&object{"b", "blue", version}, a("green"), &object{"b", "green", version}), replace(),
	}
}

// A span is a call's time, on a clock that counts what happens.
type span struct{ from, to int64 }

// A sighting is what a read has found.
type sighting struct {
	span
	read  read
	found found
	at    int // the first state that it can be of
}

// A history is some writes, one after another, and what reads found beside them.
type history struct {
	store  *Store[*object]
	text   texts
	clock  atomic.Int64
	states []state // before the first write, after it, after the second ...
	writes []write
	spans  []span // of the writes
	seen   []*sighting
}

// newHistory begins with a store in a state. before is called in each call of key and value.
func newHistory(text texts, before func(), objects ...*object) *history {
	store := New(
		func(o *object) string { before(); return text(nameOf(o)) },
		func(o *object) string { before(); return text(colorOf(o)) },
	)
	first := replace(objects...)
	first.to(store, text)
	return &history{store: store, text: text, states: []state{first.after(nil)}}
}

func nothing() {}

// write makes the next write.
func (h *history) write(w write) {
	from := h.clock.Add(1)
	w.to(h.store, h.text)
	h.spans = append(h.spans, span{from, h.clock.Add(1)})
	h.writes = append(h.writes, w)
	h.states = append(h.states, w.after(h.states[len(h.states)-1]))
}

// look makes a read.
func (h *history) look(r read) *sighting {
	from := h.clock.Add(1)
	f := r.call(h.store)
	return &sighting{span: span{from, h.clock.Add(1)}, read: r, found: f}
}

// check looks for a state that each read can be of: one between those before and after the writes that were under way
// during the read, and none from before what an earlier read has found.
func (h *history) check(t *testing.T) {
	t.Helper()
	slices.SortFunc(h.seen, func(a, b *sighting) int { return cmp.Compare(a.from, b.from) })
	ended := slices.SortedFunc(slices.Values(h.seen), func(a, b *sighting) int { return cmp.Compare(a.to, b.to) })
	newest := &sighting{}
	type question struct {
		read  string
		state int
	}
	answers := map[question]string{}
	for _, s := range h.seen {
		for ; ended[0].to < s.from; ended = ended[1:] {
			if ended[0].at > newest.at {
				newest = ended[0]
			}
		}
		done, _ := slices.BinarySearchFunc(h.spans, s.from,
			func(w span, now int64) int { return cmp.Compare(w.to, now) })
		begun, _ := slices.BinarySearchFunc(h.spans, s.to,
			func(w span, now int64) int { return cmp.Compare(w.from, now) })
		got, first := s.found.String(), max(done, newest.at)
		var wants []string
		for s.at = first; s.at <= begun; s.at++ {
			q := question{s.read.name, s.at}
			want, ok := answers[q]
			if !ok {
				want = s.read.want(h.states[s.at]).String()
				answers[q] = want
			}
			if want == got {
				break
			}
			wants = append(wants, want)
		}
		if s.at > begun {
			h.fail(t, s, newest, first, begun, wants)
		}
	}
}

// fail is about a read that is of none of the states from one to another.
func (h *history) fail(t *testing.T, s, newest *sighting, from, to int, wants []string) {
	t.Helper()
	story := held(h.states[from])
	if from < to {
		story = fmt.Sprintf("%s; while %v is under way", story, h.writes[from])
	}
	if newest.at == from && newest.at > 0 {
		story = fmt.Sprintf("%s, and after %s has found %s", story, newest.read.name, newest.found)
	}
	slices.Sort(wants)
	wants = slices.Compact(wants)
	exercise.Fail(t, exercise.Verdict{
		Expected: fmt.Sprintf("%s, %s finds %s", story, s.read.name, strings.Join(wants[:min(len(wants), 3)], ", or ")),
		Happened: fmt.Sprintf("it found %s", s.found),
		PointsTo: twoSteps,
	})
}

// A pause stops a write in the middle: in one of its calls of key and value.
type pause struct {
	left atomic.Int64 // so many calls from now
	do   func()
}

func (p *pause) call() {
	if p.left.Add(-1) == 0 {
		p.do()
	}
}

func (p *pause) happened() bool { return p.left.Load() <= 0 }

// patience is how long a pause lasts: who does not wait for the write has done all it wants by then, and who waits for
// its lock does so until it goes on.
const patience = 5 * time.Millisecond

// aside starts what others do in a pause, and gives them time.
func aside(others *sync.WaitGroup, do ...func()) {
	for _, f := range do {
		others.Go(f)
	}
	done := make(chan struct{})
	go func() { others.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(patience):
	}
}

// paused makes a write that pauses in its nth call of key and value, so that others can do something, and reports
// whether it came to that.
func paused(w write, nth int, others func(h *history, running *sync.WaitGroup)) (*history, bool) {
	var p pause
	var running sync.WaitGroup
	h := newHistory(short, p.call, someObjects()...)
	p.do = func() { others(h, &running) }
	p.left.Store(int64(nth))
	h.write(w)
	happened := p.happened()
	running.Wait()
	return h, happened
}

// busy has others write, whose texts take their time, until stop is called. Who wants their lock waits with many, and
// not all of these get it in the order in which they came.
func (h *history) busy() (stop func()) {
	procs := runtime.GOMAXPROCS(4) // so that a call is interrupted anywhere
	var over atomic.Bool
	var others, ready sync.WaitGroup
	for i := range 2 {
		name := noise + strconv.Itoa(i)
		one, another := &object{name, name, 0}, &object{name, name + " again", 0}
		ready.Add(1)
		others.Go(func() {
			h.store.Put(one)
			ready.Done()
			for !over.Load() {
				h.store.Put(another)
				h.store.Put(one)
			}
			h.store.Delete(h.text(name))
		})
	}
	ready.Wait()
	return func() {
		over.Store(true)
		others.Wait()
		runtime.GOMAXPROCS(procs)
	}
}

// followed makes writes in a busy store. Who finds the first of them through one read goes on through the others.
func (h *history) followed(all []read, writes ...write) {
	defer h.busy()()
	before, after := h.states[0], writes[0].after(h.states[0])
	var readers, ready sync.WaitGroup
	var written atomic.Bool
	seen := make([][]*sighting, len(all))
	for i, r := range all {
		old := r.want(before).String()
		if old == r.want(after).String() {
			continue
		}
		ready.Add(1)
		readers.Go(func() {
			ready.Done()
			for looks := 1; len(seen[i]) == 0; looks++ {
				late := written.Load()
				s := h.look(r)
				if late || s.found.String() != old {
					seen[i] = append(seen[i], s)
				}
				if waited := s.to > s.from+1; !waited && (i%2 == 0 || looks%20 == 0) {
					runtime.Gosched() // who does not wait for a lock would take all the time there is
				}
			}
			for _, r := range slices.Concat(all[i+1:], all[:i]) {
				seen[i] = append(seen[i], h.look(r))
			}
		})
	}
	ready.Wait()
	for _, w := range writes {
		h.write(w)
	}
	written.Store(true)
	readers.Wait()
	h.seen = slices.Concat(seen...)
}

// crowd lets each of the reads go on, again and again, while the writes are made.
func (h *history) crowd(all []read, writes []write) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var over atomic.Bool
	var readers, ready sync.WaitGroup
	seen := make([][]*sighting, len(all))
	for i, r := range all {
		ready.Add(1)
		readers.Go(func() {
			ready.Done()
			for !over.Load() && len(seen[i]) < 1000 {
				seen[i] = append(seen[i], h.look(r))
				runtime.Gosched()
			}
		})
	}
	ready.Wait()
	for _, w := range writes {
		h.write(w)
		runtime.Gosched()
	}
	over.Store(true)
	readers.Wait()
	h.seen = slices.Concat(seen...)
}

// either looks at a store to which another write was made while the last one paused: it holds what they leave in one
// of their orders.
func (h *history) either(t *testing.T, all []read, other write) {
	t.Helper()
	one := h.writes[0]
	first, second := other.after(one.after(h.states[0])), one.after(other.after(h.states[0]))
	var fewest []string
	for i, after := range []state{first, second} {
		var strange []string
		for _, r := range all {
			if got := r.call(h.store).String(); got != r.want(after).String() {
				strange = append(strange, fmt.Sprintf("%s found %s", r.name, got))
			}
		}
		if i == 0 || len(strange) < len(fewest) {
			fewest = strange
		}
	}
	wants := slices.Compact([]string{shown(first.list()), shown(second.list())})
	exercise.Expect(t, len(fewest) == 0, exercise.Verdict{
		Expected: fmt.Sprintf("%s; %v comes while %v is under way; then it holds %s", held(h.states[0]), other, one, strings.Join(wants, ", or ")),
		Happened: strings.Join(fewest, "; "),
		PointsTo: stillHolds,
	})
}

// together lets each write be made by somebody else, at once, in a busy store. Then that holds what they leave in one
// of their orders, and all reads agree about it.
func (h *history) together(t *testing.T, all []write) {
	t.Helper()
	stop := h.busy()
	begin := make(chan struct{})
	var writers sync.WaitGroup
	for _, w := range all {
		writers.Go(func() {
			<-begin
			w.to(h.store, h.text)
		})
	}
	close(begin)
	writers.Wait()
	stop()
	now := state{}
	for _, o := range h.store.List() {
		if o != nil {
			now[o.name] = o
		}
	}
	what := fmt.Sprintf("%s; at once there are %s", held(h.states[0]), strings.Trim(fmt.Sprint(all), "[]"))
	exercise.Expect(t, canFollow(now, h.states[0], all), exercise.Verdict{
		Expected: what + "; then List finds what they leave in one of their orders",
		Happened: "it found " + shown(now.list()),
		PointsTo: stillHolds,
	})
	for _, r := range reads(h.text, append(someNames, slices.Collect(maps.Keys(now))...), someColors) {
		got, want := r.call(h.store).String(), r.want(now).String()
		exercise.Expect(t, got == want, exercise.Verdict{
			Expected: fmt.Sprintf("%s; then List finds %s, and %s finds %s", what, shown(now.list()), r.name, want),
			Happened: "it found " + got,
			PointsTo: stillHolds,
		})
	}
}

// canFollow reports whether writes can leave this state, in some order: one of the Replaces is the last of them, if
// there are any, and for each name there may be a Put or a Delete behind that.
func canFollow(now, first state, all []write) bool {
	names := slices.AppendSeq(slices.Collect(maps.Keys(first)), maps.Keys(now))
	behind := func(base state, replaced bool) bool {
		return !slices.ContainsFunc(names, func(name string) bool {
			var ends []*object
			for _, w := range all {
				if w.is("Put") && w.objects[0].name == name || w.is("Delete") && w.name == name {
					ends = append(ends, w.after(nil)[name])
				}
			}
			if replaced || len(ends) == 0 {
				ends = append(ends, base[name])
			}
			return !slices.Contains(ends, now[name])
		})
	}
	replaces := slices.DeleteFunc(slices.Clone(all), func(w write) bool { return !w.is("Replace") })
	if len(replaces) == 0 {
		return behind(first, false)
	}
	return slices.ContainsFunc(replaces, func(w write) bool { return behind(w.after(nil), true) })
}

// methodsRace says that the race detector has seen what [TestMethodsLock] looks for. The runtime may end a process in
// which many do so at once, and its words would be the verdict.
var methodsRace bool

func needsLocks(t *testing.T) {
	t.Helper()
	exercise.Expect(t, !methodsRace, exercise.Verdict{
		Expected: "the methods lock, before many call them at once", Happened: "TestMethodsLock found a data race"})
}

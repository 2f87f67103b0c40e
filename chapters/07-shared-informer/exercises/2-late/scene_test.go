package late_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/exercises/2-late"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// legend explains how a test writes what a handler is told.
const legend = " (* is an OnAdd in the initial list, + another OnAdd, ~ an OnUpdate, - an OnDelete; what stands in [ ] " +
	"may come in any order)"

// play does what a script of the source says: a1 sets Version 1 of the key a, -a removes it.
func play(hub *Hub, script string) {
	for _, word := range strings.Fields(script) {
		switch key, removes := strings.CutPrefix(word, "-"); {
		case word == "SYNCED":
			hub.Synced()
		case word == "RESYNC":
			hub.Resync()
		case removes:
			hub.Remove(key)
		default:
			hub.Set(object(word))
		}
	}
}

// object reads a1, and 1, whose key is "".
func object(word string) Object {
	key := strings.TrimRight(word, "0123456789")
	version, _ := strconv.Atoi(word[len(key):])
	return Object{Key: key, Version: version}
}

// drained is what is in a channel.
func drained(words <-chan string) string {
	var all []string
	for len(words) > 0 {
		all = append(all, <-words)
	}
	return strings.Join(all, " ")
}

func shown(o Object) string { return o.Key + strconv.Itoa(o.Version) }

// A diary is a handler that writes down what it is told: *a1 +a1 ~a1>a2 -a2.
type diary struct {
	told   []string
	during func(word string) // called before the method returns, if there is one
}

func (d *diary) OnAdd(obj Object, isInInitialList bool) {
	if isInInitialList {
		d.write("*" + shown(obj))
	} else {
		d.write("+" + shown(obj))
	}
}
func (d *diary) OnUpdate(oldObj, newObj Object) { d.write("~" + shown(oldObj) + ">" + shown(newObj)) }
func (d *diary) OnDelete(obj Object)            { d.write("-" + shown(obj)) }

func (d *diary) write(word string) {
	d.told = append(d.told, word)
	if d.during != nil {
		d.during(word)
	}
}

// read is what was told. What stands in brackets in want may come in any order, and is read as it stands there.
func (d *diary) read(want string) string {
	told, begin := slices.Clone(d.told), 0
	for i, word := range strings.Fields(want) {
		if strings.HasPrefix(word, "[") {
			begin = i
		}
		if strings.HasSuffix(word, "]") && i < len(told) {
			group := slices.Clone(told[begin : i+1])
			inAnyOrder(group)
			if slices.Equal(group, strings.Fields(want)[begin:i+1]) {
				copy(told[begin:], group)
			}
		}
	}
	if len(told) == 0 {
		return "nothing"
	}
	return strings.Join(told, " ")
}

// inAnyOrder sorts words and puts brackets around them.
func inAnyOrder(words []string) {
	slices.Sort(words)
	if len(words) > 0 {
		words[0] = "[" + words[0]
		words[len(words)-1] += "]"
	}
}

// clues are beliefs, by what is told that singles them out.
type clues map[string]string

// A visit is a diary that joins between two scripts, and leaves at the end.
type visit struct {
	before, after string
	wantsResync   bool
	want          string
	about         clues
}

func (v visit) expect(t *testing.T) {
	t.Helper()
	var d diary
	exercise.Bubble(t, func(*testing.T) {
		hub := New()
		play(hub, v.before)
		r := hub.Join(&d, v.wantsResync)
		play(hub, v.after)
		synctest.Wait()
		r.Leave()
	})
	got := d.read(v.want)
	scene := "a handler joins, and then " + theSourceDoes(v.after)
	if v.before != "" {
		scene = theSourceDoes(v.before) + ", " + scene
	}
	exercise.Expect(t, got == v.want, exercise.Verdict{
		Expected: scene + ": the handler is told " + v.want + legend,
		Happened: "it was told " + got,
		PointsTo: v.about[got],
	})
}

func theSourceDoes(script string) string {
	if script == "" {
		return "the source does nothing"
	}
	return fmt.Sprintf("the source does %q", script)
}

// soon says whether something becomes so while its caller does nothing else. There is one processor meanwhile: when the
// caller has given it up often enough, every other goroutine waits.
func soon(so func() bool) bool {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for range 10_000 {
		if so() {
			return true
		}
		runtime.Gosched()
	}
	return false
}

// returns says whether a call returns before its caller does anything else.
func returns(call func()) bool {
	var done atomic.Bool
	go func() {
		call()
		done.Store(true)
	}()
	return soon(done.Load)
}

// patient returns what is true when enough was tried: a machine that is busy with other things seldom runs two
// goroutines at the same moment, and needs longer.
func patient(limit time.Duration) (over *atomic.Bool, stop func() bool) {
	over = new(atomic.Bool)
	return over, time.AfterFunc(limit, func() { over.Store(true) }).Stop
}

// A counter is a handler that counts what it is told. Many registrations may share it.
type counter struct{ atomic.Int64 }

func (c *counter) OnAdd(Object, bool)      { c.Add(1) }
func (c *counter) OnUpdate(Object, Object) { c.Add(1) }
func (c *counter) OnDelete(Object)         { c.Add(1) }

// functions is a handler that can't be compared.
type functions struct{ each, remove func(Object) }

// A ladder is a handler of one object, whose Versions are 0, 1, 2 and so on. It notices the first that is not.
type ladder struct {
	diary
	told  int
	wrong string
	begun <-chan bool // its OnAdd returns when this is closed
}

func (l *ladder) OnAdd(Object, bool) {
	l.told++
	<-l.begun
}

func (l *ladder) OnUpdate(oldObj, newObj Object) {
	if n := l.told; l.wrong == "" && (oldObj.Version != n-1 || newObj.Version != n) {
		l.wrong = fmt.Sprintf("; ~%s>%s came in the place of ~a%d>a%d", shown(oldObj), shown(newObj), n-1, n)
	}
	l.told++
}

func (f functions) OnAdd(obj Object, _ bool)  { f.each(obj) }
func (f functions) OnUpdate(_, newObj Object) { f.each(newObj) }
func (f functions) OnDelete(obj Object)       { f.remove(obj) }

// A mirror is a handler that does to its own objects what it is told, and notices what can't be.
type mirror struct {
	objects map[string]Object
	wrong   string // the first that can't be
}

func (m *mirror) OnAdd(obj Object, _ bool) {
	if had, ok := m.objects[obj.Key]; ok {
		m.note("an OnAdd of %s, and it had %s already", obj, had)
	}
	m.objects[obj.Key] = obj
}

func (m *mirror) OnUpdate(oldObj, newObj Object) {
	if had, ok := m.objects[newObj.Key]; !ok {
		m.note("an OnUpdate to %s, and it had no object with that key", newObj)
	} else if had != oldObj {
		m.note("an OnUpdate from %s, and it had %s", oldObj, had)
	}
	m.objects[newObj.Key] = newObj
}

func (m *mirror) OnDelete(obj Object) {
	if had, ok := m.objects[obj.Key]; !ok {
		m.note("an OnDelete of %s, and it had no object with that key", obj)
	} else if had != obj {
		m.note("an OnDelete of %s, and it had %s", obj, had)
	}
	delete(m.objects, obj.Key)
}

func (m *mirror) note(format string, objects ...Object) {
	if m.wrong == "" {
		words := make([]any, len(objects))
		for i, o := range objects {
			words[i] = shown(o)
		}
		m.wrong = fmt.Sprintf("it was told of "+format, words...)
	}
}

// compare says how the mirror's objects differ from those of the source.
func (m *mirror) compare(source map[string]Object) string {
	if m.wrong != "" {
		return m.wrong
	}
	for key, want := range source {
		if got, ok := m.objects[key]; !ok {
			return fmt.Sprintf("in the end the source had %s, and the handler had not been told of it", shown(want))
		} else if got != want {
			return fmt.Sprintf("in the end the source had %s, and the handler had been told of %s last",
				shown(want), shown(got))
		}
	}
	for key, got := range m.objects {
		if _, ok := source[key]; !ok {
			return fmt.Sprintf("in the end the source had removed %s, and the handler had not been told", shown(got))
		}
	}
	return ""
}

// A writer is a source that sets and removes objects of a few keys.
type writer struct {
	hub     *Hub
	objects map[string]Object
	version int
}

// write makes one call.
func (w *writer) write(random *rand.Rand) {
	w.version++
	o := Object{Key: "key-" + strconv.Itoa(random.IntN(64)) + "-", Version: w.version}
	if _, ok := w.objects[o.Key]; ok && random.IntN(3) == 0 {
		delete(w.objects, o.Key)
		w.hub.Remove(o.Key)
		return
	}
	w.objects[o.Key] = o
	w.hub.Set(o)
}

// joinsMeanwhile has handlers join from two goroutines while a source writes, and returns what one of them was told
// wrong. The source lets others run, and stops in the end, also when a busy machine lets nobody run.
func joinsMeanwhile(seed uint64) (wrong string) {
	hub, random := New(), rand.New(rand.NewPCG(seed, 1))
	w := writer{hub: hub, objects: map[string]Object{}}
	for range 200 {
		w.write(random)
	}
	var writing, joining sync.WaitGroup
	var begun, done atomic.Bool
	writing.Go(func() {
		for n := 0; n < 5000 && !done.Load(); n++ {
			w.write(random)
			begun.Store(true)
			if n%16 == 0 {
				runtime.Gosched()
			}
		}
	})
	var mirrors [2][4]*mirror
	var registrations [2][4]*Registration
	for n := range mirrors {
		joining.Go(func() {
			for !begun.Load() {
				runtime.Gosched()
			}
			for i := range mirrors[n] {
				mirrors[n][i] = &mirror{objects: map[string]Object{}}
				registrations[n][i] = hub.Join(mirrors[n][i], false)
			}
		})
	}
	joining.Wait()
	done.Store(true)
	writing.Wait()
	synctest.Wait()
	for n := range mirrors {
		for i, m := range mirrors[n] {
			if wrong == "" {
				wrong = m.compare(w.objects)
			}
			registrations[n][i].Leave()
		}
	}
	return wrong
}

// anybody has goroutines call whatever they may, and returns what a handler that joined before was told wrong. Each
// makes a number of calls, so that none of them can keep the others from a lock for long.
func anybody(seed uint64) (wrong string) {
	hub, random := New(), rand.New(rand.NewPCG(seed, 2))
	w := writer{hub: hub, objects: map[string]Object{}}
	m := &mirror{objects: map[string]Object{}}
	r := hub.Join(m, true)
	var all sync.WaitGroup
	var done atomic.Bool
	all.Go(func() {
		defer done.Store(true)
		for n := range 100 {
			w.write(random)
			if n == 50 {
				hub.Synced()
				hub.Resync()
			}
		}
	})
	all.Go(func() { // and nothing else, so that nothing else comes between it and a race
		for n := 0; n < 2000 && !done.Load(); n++ {
			r.HasSynced()
		}
	})
	all.Go(func() {
		for n := 0; n < 2000 && !done.Load(); n++ {
			hub.Get("key-1-")
		}
	})
	for range 3 {
		all.Go(func() {
			for n := 0; n < 50 && !done.Load(); n++ {
				other := hub.Join(&counter{}, true)
				other.HasSynced()
				all.Go(other.Leave)
				other.Leave()
			}
		})
	}
	all.Wait()
	synctest.Wait()
	r.Leave()
	return m.compare(w.objects)
}

// joinsAndLeaves has a handler join and leave that nobody else knows.
//
//go:noinline
func joinsAndLeaves(hub *Hub, script string) weak.Pointer[diary] {
	d := &diary{}
	r := hub.Join(d, true)
	play(hub, script)
	synctest.Wait()
	r.Leave()
	synctest.Wait()
	return weak.Make(d)
}

// A gate is a handler that returns when it is let.
type gate struct {
	diary
	let chan bool
}

func newGate() *gate {
	g := &gate{let: make(chan bool)}
	g.during = func(string) { <-g.let }
	return g
}

// A story of HasSynced: join, let (the handler return from a call) and ?, beside what the source does. HasSynced is
// asked when everybody waits.
type story struct{ script, want string }

func (s story) play() string {
	hub, g := New(), newGate()
	var r *Registration
	var said []string
	for word := range strings.FieldsSeq(s.script) {
		switch word {
		case "join":
			r = hub.Join(g, true)
		case "let":
			g.let <- true
		case "?":
			synctest.Wait()
			said = append(said, yesOrNo(r.HasSynced()))
		default:
			play(hub, word)
		}
	}
	r.Leave()
	close(g.let)
	return strings.Join(said, " ")
}

func yesOrNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// A model is what a Hub should do: what it has, and what each handler should have been told.
type model struct {
	hub     *Hub
	store   map[string]Object
	synced  bool
	version int
	joined  []*attendant
	script  []string // what was done so far
	wrong   string   // what the Hub did otherwise
}

// An attendant is a handler with what it should be told.
type attendant struct {
	diary
	name    string
	r       *Registration
	resyncs bool
	want    []string
}

// step does something to the Hub and to the model.
func (m *model) step(random *rand.Rand) {
	key := string(rune('a' + random.IntN(5)))
	old, known := m.store[key]
	switch n := random.IntN(20); {
	case n < 9:
		o := Object{Key: key, Version: m.version * 7 % 101} // in no order, from 0
		m.version++
		m.store[key] = o
		switch {
		case known:
			m.tell("~" + shown(old) + ">" + shown(o))
		case m.synced:
			m.tell("+" + shown(o))
		default:
			m.tell("*" + shown(o))
		}
		m.do(shown(o))
	case n < 13:
		if delete(m.store, key); known {
			m.tell("-" + shown(old))
		}
		m.do("-" + key)
	case n < 15:
		for _, a := range m.joined {
			if a.resyncs {
				a.want = append(a.want, m.each(func(o string) string { return "~" + o + ">" + o })...)
			}
		}
		m.do("RESYNC")
	case n < 16 && !m.synced:
		m.synced = true
		m.do("SYNCED")
	case n < 18:
		m.join(random.IntN(2) == 0)
	case len(m.joined) > 1:
		m.leave(random.IntN(len(m.joined)))
	}
	want, there := m.store[key]
	if got, ok := m.hub.Get(key); m.wrong == "" && (ok != there || got != want) {
		m.wrong = fmt.Sprintf("Get of %s returned %s, %v, and should return %s, %v", key, shown(got), ok, shown(want), there)
	}
}

func (m *model) do(word string) {
	m.script = append(m.script, word)
	play(m.hub, word)
}

func (m *model) tell(word string) {
	for _, a := range m.joined {
		a.want = append(a.want, word)
	}
}

// each is a word for each object, in any order.
func (m *model) each(word func(object string) string) []string {
	var words []string
	for _, o := range m.store {
		words = append(words, word(shown(o)))
	}
	inAnyOrder(words)
	return words
}

func (m *model) join(resyncs bool) {
	a := &attendant{name: fmt.Sprintf("handler-%d", len(m.script)), resyncs: resyncs}
	a.want = m.each(func(o string) string { return "*" + o })
	m.script = append(m.script, fmt.Sprintf("%s joins (wantsResync %v)", a.name, resyncs))
	a.r = m.hub.Join(a, resyncs)
	m.joined = append(m.joined, a)
}

// leave has one leave that was told all.
func (m *model) leave(n int) {
	synctest.Wait()
	a := m.joined[n]
	m.script = append(m.script, a.name+" leaves")
	m.joined = slices.Delete(m.joined, n, n+1)
	synced := a.r.HasSynced()
	a.r.Leave()
	want := strings.Join(a.want, " ")
	if want == "" {
		want = "nothing"
	}
	switch got := a.read(want); {
	case m.wrong != "":
	case got != want:
		m.wrong = fmt.Sprintf("%s was told %s, and should be told %s", a.name, got, want)
	case synced != m.synced:
		m.wrong = fmt.Sprintf("when %s left and had been told all, its HasSynced was %v", a.name, synced)
	}
}

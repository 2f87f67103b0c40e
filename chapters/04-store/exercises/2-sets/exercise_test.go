package sets_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/exercises/2-sets"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// nothingToWaitFor is what a hang means: whoever owns the index holds the lock.
var nothingToWaitFor = exercise.HangMeans("a wait or an endless loop in a call that has nothing to wait for")

const emptySet = "the belief that a set without keys is as good as none. Names come and go in a cluster: " +
	"an index that keeps a set for each that ever was grows until its program dies"

func TestSets(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	s := begin(t)
	s.holds(nil)
	s.put("web", "cfg", "tls", "log")
	s.holds(clues{
		"cfg: web": "the belief that an object has one value. A Pod mounts many ConfigMaps, " +
			"and is to be found under each of them",
	}, "cfg: web", "log: web", "tls: web")
	s.put("db", "cfg")
	s.put("job")
	s.holds(nil, "cfg: db web", "log: web", "tls: web")
	s.put("batch", "tls", "cfg")
	s.holds(nil, "cfg: batch db web", "log: web", "tls: batch web")
}

func TestTwoIndexes(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	one, other := begin(t), begin(t)
	one.put("web", "cfg")
	other.holds(nil)
	other.put("web", "tls")
	other.put("db", "cfg")
	one.holds(nil, "cfg: web")
	one.delete("web")
	one.delete("db")
	other.holds(nil, "cfg: db", "tls: web")
}

func TestPutAgain(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	s := begin(t)
	s.put("db", "cfg")
	s.put("web", "cfg", "tls")
	s.put("web", "tls", "log") // one goes, one stays, one comes
	s.holds(clues{
		"cfg: db web; log: web; tls: web": "the belief that Put adds. What the pod does not mount any more, " +
			"it is still found under",
		"cfg: db web; tls: web": "the belief that a set that is as large as before has not changed",
		"cfg: db; log: web":     "the belief that what was in the old set has to go. tls is in the new one, too",
		"cfg: db; log: web; tls: no key": "the belief that what was in the old set has to go. " +
			"tls is in the new one, too",
	}, "cfg: db", "log: web", "tls: web")
	s.put("web", "log", "tls")
	s.holds(nil, "cfg: db", "log: web", "tls: web")
	s.put("web", "tls")
	s.holds(clues{"cfg: db; log: no key; tls: web": emptySet}, "cfg: db", "tls: web")
	s.put("web", "cfg")
	s.holds(nil, "cfg: db web")
	s = begin(t)
	s.put("db", "cfg")
	s.put("web", "cfg")
	s.put("web", "log", "tls", "cfg", "app")
	s.holds(nil, "app: web", "cfg: db web", "log: web", "tls: web")
	s.put("web")
	s.holds(nil, "cfg: db")
	s.put("web")
	s.put("web", "log")
	s.holds(nil, "cfg: db", "log: web")
	s.put("web", "log")
	s.put("db", "log")
	s.holds(nil, "log: db web")
}

func TestDelete(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	s := begin(t)
	s.delete("web")
	s.holds(nil)
	s.put("web", "cfg", "tls")
	s.put("db", "cfg")
	s.delete("unknown")
	s.delete("cfg")
	s.holds(nil, "cfg: db web", "tls: web")
	s.delete("web")
	s.holds(clues{"cfg: db; tls: no key": emptySet}, "cfg: db")
	s.delete("web")
	s.holds(nil, "cfg: db")
	s.put("web", "cfg", "tls")
	s.holds(clues{"cfg: db": "the belief that the set of a key that was deleted is still there, and has not changed"},
		"cfg: db web", "tls: web")
	s.put("job")
	s.delete("job")
	s.delete("db")
	s.delete("web")
	s.holds(clues{"cfg: no key; tls: no key": emptySet})
	s = begin(t)
	p := s.put("web", "cfg")
	s.putPod("db", p)
	s.delete("web")
	s.holds(nil, "cfg: db")
	s.delete("db")
	s.holds(nil)
	s.putPod("db", p)
	s.putPod("web", p)
	s.put("db", "tls")
	s.holds(nil, "cfg: web", "tls: db")
}

func TestRepeatedValue(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	const counted = "the belief that what comes twice has to go twice. A Pod may mount a ConfigMap in two places: " +
		"it is in its set or it is not"
	s := begin(t)
	s.put("web", "cfg", "tls", "cfg")
	s.holds(nil, "cfg: web", "tls: web")
	s.delete("web")
	s.holds(clues{"cfg: web": counted, "cfg: no key": emptySet, "cfg: no key; tls: no key": emptySet})
	s.put("web", "cfg", "cfg")
	s.put("db", "cfg", "cfg", "cfg")
	s.put("web", "cfg")
	s.holds(nil, "cfg: db web")
	s.put("web", "tls", "tls")
	s.holds(clues{"cfg: db web; tls: web": counted}, "cfg: db", "tls: web")
	s.put("db")
	s.holds(nil, "tls: web")
	s.put("web", "tls")
	s.put("web", "log", "tls", "log")
	s.delete("web")
	s.holds(nil)
}

func TestPutFails(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	about := clues{
		"cfg: db": "the belief that the old set may go before the new one is known",
		"cfg: db; log: web": "the belief that what comes beside an error counts. A function that failed has not said " +
			"what the set is",
	}
	s := begin(t)
	s.put("db", "cfg")
	s.put("web", "cfg", "tls")
	s.putBroken("web", broken(1))
	s.holds(about, "cfg: db web", "tls: web")
	s.putBroken("web", broken(2, "log"))
	s.holds(about, "cfg: db web", "tls: web")
	s.putBroken("first", broken(3, "log"))
	s.putBroken("first", broken(4))
	s.holds(nil, "cfg: db web", "tls: web")
	s.put("web", "tls", "app")
	s.holds(nil, "app: web", "cfg: db", "tls: web")
	s.putBroken("web", broken(5))
	s.putBroken("db", broken(6, "tls"))
	s.delete("web")
	s.holds(nil, "cfg: db")
	s.delete("first")
	s.put("first", "log")
	s.putBroken("first", broken(7))
	s.holds(nil, "cfg: db", "log: first")
}

func TestReplace(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	merged := clues{"app: web; cfg: db web; log: job; tls: web": "the belief that Replace adds",
		"app: web; cfg: db; log: job": "the belief that Replace is a Put for each. " +
			"db is not in the map: it was deleted while nobody looked"}
	s := begin(t)
	s.put("web", "cfg", "tls")
	s.put("db", "cfg")
	s.replace(map[string]*pod{"web": with("app"), "job": with("log"), "none": with()})
	s.holds(merged, "app: web", "log: job")
	s.put("db", "cfg")
	s.put("web", "app", "tls")
	s.delete("job")
	s.holds(nil, "app: web", "cfg: db", "tls: web")
	s.replace(map[string]*pod{"web": with("tls", "cfg", "tls"), "db": with("cfg")})
	s.holds(nil, "cfg: db web", "tls: web")
	s.delete("web")
	s.holds(nil, "cfg: db")
	s = begin(t)
	s.replace(map[string]*pod{})
	s.put("db", "cfg")
	s.replace(map[string]*pod{})
	s.holds(nil)
	s.put("web", "cfg")
	s.replace(nil)
	s.holds(nil)
	s.put("web", "cfg")
	s.delete("db")
	s.holds(nil, "cfg: web")
	s, other := begin(t), begin(t)
	s.replace(map[string]*pod{"web": with("cfg", "app", "tls")})
	other.replace(map[string]*pod{"web": with("cfg"), "db": with("log")})
	s.holds(nil, "app: web", "cfg: web", "tls: web")
	other.holds(nil, "cfg: web", "log: db")
}

// In which order Replace looks at the objects is its own affair: of many, one fails.
func TestReplaceFails(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	about := clues{otherwise: "the belief that what was done before an error, or could be done beside it, may stay. " +
		"Half of a list is no state that ever was"}
	for _, values := range [][]string{nil, {"log"}} {
		for range 10 {
			s := begin(t)
			s.put("web", "cfg", "tls")
			s.put("db", "cfg")
			objects := map[string]*pod{"default-web-7": broken(1, values...)}
			for _, key := range []string{"a", "b", "c", "d", "db"} {
				objects[key] = with("app")
			}
			s.namesKey(s.replaceBroken(objects), "default-web-7")
			s.holds(about, "cfg: db web", "tls: web")
			s.delete("web")
			s.put("db", "app")
			s.holds(nil, "app: db")
		}
	}
}

func TestChangedObject(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	const recomputed = "the belief that the object that was put says what its set was. Whoever holds a pointer to it " +
		"may have changed it, and what it says now was never put"
	const samePointer = "the belief that the same pointer is the same object as before"
	s := begin(t)
	p := s.put("web", "cfg", "tls")
	s.put("db", "cfg")
	s.changes(p, with("log"))
	s.holds(clues{otherwise: recomputed}, "cfg: db web", "tls: web")
	s.putPod("web", p) // the same pointer
	s.holds(clues{
		"cfg: db web; tls: web": samePointer,
		otherwise:               recomputed,
	}, "cfg: db", "log: web")
	s.changes(p, with("cfg", "tls"))
	s.put("web", "app", "tls")
	s.holds(clues{otherwise: recomputed}, "app: web", "cfg: db", "tls: web")
	p = s.put("web", "app")
	s.changes(p, with())
	s.delete("web")
	s.holds(clues{otherwise: recomputed}, "cfg: db")
	p = s.put("web", "log", "cfg")
	s.changes(p, broken(1))
	s.holds(clues{otherwise: recomputed}, "cfg: db web", "log: web")
	s.put("web", "tls")
	s.holds(clues{otherwise: recomputed}, "cfg: db", "tls: web")
	p = s.put("job", "log")
	s.changes(p, broken(2))
	s.delete("job")
	s.holds(clues{otherwise: recomputed}, "cfg: db", "tls: web")
	p = s.put("job", "log")
	s.changes(p, with("tls"))
	s.replace(map[string]*pod{"job": p})
	s.holds(clues{"log: job": samePointer}, "tls: job")
}

func TestMatching(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	const all = "the belief that an object matches when it has all the values. One in common is enough"
	s := begin(t)
	s.matching(nil, with("cfg"))
	s.put("web", "cfg", "tls")
	s.put("db", "cfg")
	s.put("job", "log")
	s.put("none")
	s.matching(nil, with("cfg"), "db", "web")
	s.matching(clues{"none": all}, with("tls", "log"), "job", "web")
	s.matching(clues{"db web web": "the belief that each key is found once. web is, by both values"},
		with("cfg", "tls"), "db", "web")
	s.matching(nil, with("tls", "cfg"), "db", "web")
	s.matching(nil, with("cfg", "cfg"), "db", "web")
	s.matching(nil, with("unknown", "tls"), "web")
	s.matching(nil, with("tls", "unknown", "log", "none"), "job", "web")
	s.matching(clues{otherwise: "the belief that an object without values matches every one. It has none in common"},
		with())
	s.holds(nil, "cfg: db web", "log: job", "tls: web")
	own := s.put("web", "cfg", "app")
	s.matching(nil, own, "db", "web")
	s.changes(own, with("log"))
	s.matching(nil, own, "job")
	s.delete("web")
	s.matching(nil, with("cfg", "app", "tls"), "db")
}

func TestMatchingFails(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	s := begin(t)
	for i, p := range []*pod{broken(1), broken(2, "cfg"), broken(3, "cfg", "log")} {
		s.did("Matching of a pod with %s", describe(p))
		s.refused("Matching", p, func() error { _, err := s.x.Matching(p); return err })
		s.put("web", "cfg")
		s.put("job", fmt.Sprint("v", i))
		s.holds(nil, "cfg: web", fmt.Sprintf("v%d: job", i))
	}
}

func TestAnyText(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	s := begin(t)
	s.put("web", "")
	s.holds(nil, `"": web`)
	s.put("web", "", "cfg")
	s.put("", "cfg", "")
	s.holds(nil, `"": "" web`, `cfg: "" web`)
	s.matching(nil, with("cfg"), "", "web")
	s.matching(nil, with(""), "", "web")
	s.matching(nil, with("unknown"))
	s.putBroken("", broken(1))
	s.put("", "tls")
	s.holds(nil, `"": web`, `cfg: web`, `tls: ""`)
	s.delete("")
	s.put("web", "")
	s.put("web")
	s.holds(nil)
	for _, sep := range []string{"/", ",", " ", "\x00", "\n", "\xff", "|", ":", "=", "\x1f"} {
		s = begin(t)
		s.put("c", "a"+sep+"b")
		s.put("b"+sep+"c", "a")
		s.put("A", "B", " B")
		s.holds(nil, byName(`" B": "A"`, `"B": "A"`, `a: `+name("b"+sep+"c"), name("a"+sep+"b")+": c")...)
		s.delete("c")
		s.put("A", "b")
		s.holds(nil, "a: "+name("b"+sep+"c"), `b: "A"`)
		s.put("b"+sep+"c", "d"+sep+"e")
		s.put("b"+sep+"c", "d", "e")
		s.holds(nil, `b: "A"`, "d: "+name("b"+sep+"c"), "e: "+name("b"+sep+"c"))
	}
}

func TestObjectsOfAnyType(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	s := begin(t)
	s.matching(nil, nil)
	s.putPod("web", nil)
	s.matching(nil, nil, "web")
	s.holds(nil, "nil: web")
	s.putPod("web", nil)
	s.holds(nil, "nil: web")
	s.put("web", "cfg")
	s.holds(nil, "cfg: web")
	s.putPod("web", nil)
	s.replace(map[string]*pod{"db": nil, "web": with("nil")})
	s.holds(nil, "nil: db web")
	s.delete("db")
	s.holds(nil, "nil: web")

	type function = func() []string
	of := func(values ...string) function { return func() []string { return values } }
	x := New(func(f function) ([]string, error) { return f(), nil }) // can't be compared
	x.Put("web", of("cfg", "tls"))
	x.Put("web", of("cfg"))
	x.Put("db", of("cfg"))
	x.Replace(map[string]function{"db": of("cfg", "tls"), "web": of("tls")})
	x.Put("db", of("tls"))
	exercise.Expect(t, names(sorted(x.Keys("tls"))) == "db web" && names(x.Values()) == "tls", exercise.Verdict{
		Expected: "with functions as objects, which cannot be compared, " +
			"Keys of tls is db web in the end, and Values is tls",
		Happened: fmt.Sprintf("Keys was %s, and Values %s", names(x.Keys("tls")), names(x.Values())),
	})
	n := New(func(n int) ([]string, error) {
		if n < 0 {
			return nil, errors.New("negative")
		}
		return []string{fmt.Sprint(n)}, nil
	})
	n.Put("zero", 0)
	n.Put("zero", 7)
	n.Put("zero", 0)
	n.Put("zero", -1)
	n.Put("one", 1)
	exercise.Expect(t, names(sorted(n.Values())) == "0 1" && names(n.Keys("0")) == "zero", exercise.Verdict{
		Expected: "with numbers as objects, Values is 0 1 in the end, and Keys of 0 is zero",
		Happened: fmt.Sprintf("Values was %s, and Keys of 0 %s", names(n.Values()), names(n.Keys("0"))),
	})
}

func TestTheSliceOfValues(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	const kept = "the belief that a slice is a value. It is a view of an array, and that is not the index's: " +
		"here it changed after Put"
	s := begin(t)
	p := s.put("web", "tls", "cfg")
	p.mounts[0], p.mounts[1] = "app", "log"
	s.did("the pod's own slice changed to app log")
	s.seen["app"], s.seen["log"] = true, true
	s.holds(clues{otherwise: kept}, "cfg: web", "tls: web")
	s.delete("web")
	s.holds(clues{otherwise: kept})

	var buffer []string // for the values of all objects
	s = beginWith(t, func(p *pod) ([]string, error) {
		buffer = append(buffer[:0], p.mounts...)
		return buffer, nil
	})
	s.did("values returns the same slice each time")
	s.put("web", "cfg", "tls")
	s.put("db", "log", "cfg")
	s.holds(nil, "cfg: db web", "log: db", "tls: web")
	s.put("web", "app", "log")
	s.holds(clues{otherwise: kept}, "app: web", "cfg: db", "log: db web")
	s.delete("db")
	s.holds(clues{otherwise: kept}, "app: web", "log: web")
	s.replace(map[string]*pod{"a": with("cfg"), "b": with("tls"), "c": with("app", "tls")})
	s.holds(clues{otherwise: kept}, "app: c", "cfg: a", "tls: b c")

	array := []string{"tls", "cfg", "tls", "app", "spare", "parts"}
	own := slices.Clone(array)
	p = &pod{mounts: array[:4]}
	s = begin(t)
	unchanged := func() {
		t.Helper()
		exercise.Expect(t, slices.Equal(array, own), exercise.Verdict{
			Expected: fmt.Sprintf("%s, the array of that pod's slice is %v as before", s.story(), own),
			Happened: fmt.Sprintf("it was %v", array),
			PointsTo: "the belief that what a function returns is the caller's. This slice is a field of an object " +
				"that the whole program reads",
		})
	}
	s.putPod("web", p)
	unchanged()
	s.matching(nil, p, "web")
	s.did("Matching of it")
	unchanged()
	s.replace(map[string]*pod{"db": p})
	unchanged()
	s.put("db", "log")
	s.delete("db")
	unchanged()
}

func TestTheMapIsTheCallers(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	s := begin(t)
	mine := map[string]*pod{"web": with("cfg"), "db": with("tls")}
	as := maps.Clone(mine)
	s.put("job", "log")
	s.replace(mine)
	s.put("new", "app")
	s.delete("web")
	exercise.Expect(t, maps.Equal(mine, as), exercise.Verdict{
		Expected: s.story() + ", the map has the two objects of before",
		Happened: "it has " + names(slices.Sorted(maps.Keys(mine))),
		PointsTo: "the belief that what is handed over may be kept",
	})
	delete(mine, "db")
	mine["web"], mine["more"] = with("log"), with("log")
	s.did("in the caller's map db is deleted, web and more are put with log")
	s.holds(nil, "app: new", "tls: db")
	s.put("db", "app")
	s.delete("more")
	s.delete("new")
	s.holds(nil, "app: db")
}

func TestSorted(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	const random = "the belief that a range over a map has an order. It has another one each time"
	var texts []string
	for i := range 100 {
		texts = append(texts, fmt.Sprint("n", i)) // n10 is less than n2
	}
	texts = append(texts, "", "Z", "n", "ä", "z", "n-1", "n.1")
	want := sorted(texts)
	s := begin(t)
	for i, key := range texts {
		s.x.Put(key, with(texts[i:]...))
		s.x.Put(key, with(append(texts[i:], "all")...))
	}
	matching := func() []string { keys, _ := s.x.Matching(with("n29", "all", "n3", "n12")); return keys }
	for _, call := range []struct {
		what string
		of   func() []string
		want []string
	}{
		{"Keys", func() []string { return s.x.Keys("all") }, want},
		{"Values", s.x.Values, sorted(append(texts, "all"))},
		{"Matching", matching, want},
	} {
		got, about := call.of(), ""
		if again := call.of(); !slices.Equal(got, again) && slices.Equal(sorted(got), sorted(again)) {
			about = random
		}
		exercise.Expect(t, slices.Equal(got, call.want), exercise.Verdict{
			Expected: fmt.Sprintf("%s of %d puts is sorted, and has each once", call.what, len(texts)),
			Happened: difference(got, call.want),
			PointsTo: about,
		})
	}
}

func TestWhatIsReturnedIsTheCallers(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	s := begin(t)
	s.put("a", "cfg", "tls")
	s.put("b", "cfg")
	s.put("c", "tls", "app")
	calls := map[string]func() []string{
		"Keys of cfg":                    func() []string { return s.x.Keys("cfg") },
		"Values":                         s.x.Values,
		"Matching of a pod with cfg":     func() []string { k, _ := s.x.Matching(with("cfg")); return k },
		"Matching of a pod with cfg tls": func() []string { k, _ := s.x.Matching(with("cfg", "tls")); return k },
	}
	for _, what := range slices.Sorted(maps.Keys(calls)) {
		call := calls[what]
		as := slices.Clone(call())
		check := func(got []string, when, belief string) {
			t.Helper()
			exercise.Expect(t, slices.Equal(as, got), exercise.Verdict{
				Expected: fmt.Sprintf("%s, %s is %s", when, what, names(as)),
				Happened: "it was " + names(got),
				PointsTo: belief,
			})
		}
		kept, mine := call(), call()
		for i := range mine {
			mine[i] = "mine"
		}
		const belief = "the belief that nobody writes into what he is given"
		check(call(), "after the caller wrote into the slice of another call", belief)
		check(kept, "in a slice that the caller kept when it wrote into that of another call", belief)
		_ = append(call(), "more")
		longer := append(call(), "longer")
		_ = append(call()[:1], "other")
		s.delete("a")
		s.put("0", "cfg", "tls", "aaa")
		check(kept, "in a slice that the caller kept while the index changed",
			"the belief that a slice that was returned is done with. Whoever has it goes on reading")
		s.delete("0")
		s.put("a", "cfg", "tls")
		check(call(), "after the caller appended to slices of other calls", "")
		check(longer[:len(longer)-1], "in a slice to which the caller appended", "")
	}
	s.holds(nil, "app: c", "cfg: a b", "tls: a c")
}

func TestDoesNotGrow(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	const rounds, size, limit = 100, 32 << 10, 1 << 20
	grows := func(what, belief string, round func(x *Index[*pod], text string)) {
		t.Helper()
		x := New(mounted)
		x.Put("web", with("cfg"))
		round(x, "first")
		before, text := heap(), bytes.Repeat([]byte("n"), size)
		for i := range rounds {
			round(x, string(text)+fmt.Sprint(i))
		}
		grown := heap() - before
		if grown >= limit {
			grown = heap() - before // some is let go only when it is looked at again
		}
		exercise.Expect(t, grown < limit, exercise.Verdict{
			Expected: fmt.Sprintf("%d rounds of %s, each time a text of %d kB, take no memory in the end",
				rounds, what, size>>10),
			Happened: fmt.Sprintf("the index took %d MB more", grown>>20),
			PointsTo: belief,
		})
		exercise.Expect(t, slices.Contains(x.Keys("cfg"), "web"), exercise.Verdict{ // so that x lives up to here
			Expected: fmt.Sprintf("after %d rounds of %s, web is still among Keys of cfg", rounds, what),
			Happened: "it was not",
		})
	}
	grows("Put of db with another value", emptySet, func(x *Index[*pod], value string) {
		x.Put("db", with("cfg", value))
	})
	grows("Put and Delete of another key with the same value", "", func(x *Index[*pod], key string) {
		x.Put(key, with("cfg"))
		x.Delete(key)
	})
	grows("Put and Delete of db with another value", emptySet, func(x *Index[*pod], value string) {
		x.Put("db", with("cfg", value))
		x.Delete("db")
	})
	grows("Keys of another value and Matching of a pod that has it", "", func(x *Index[*pod], value string) {
		x.Keys(value)
		x.Matching(with(value))
	})
	grows("Put of another key for which values fails, and Delete of it", "", func(x *Index[*pod], key string) {
		x.Put(key, broken(1, key))
		x.Delete(key)
	})
	grows("Replace by another key with another value", "", func(x *Index[*pod], text string) {
		x.Replace(map[string]*pod{"web": with("cfg"), text: with(text)})
	})
	grows("Replace by another key, which fails", "", func(x *Index[*pod], text string) {
		x.Replace(map[string]*pod{text: with(text), text + "x": broken(1)})
	})
}

func TestReadersAtOnce(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	x := New(mounted)
	var lock sync.RWMutex // the owner's
	failed := make(chan string, 1000)
	for round := range 20 {
		key := fmt.Sprint("k", round%3)
		lock.Lock()
		x.Put("web", with("cfg", "tls"))
		x.Put(key, with("cfg", fmt.Sprint("v", round)))
		lock.Unlock()
		start := make(chan struct{})
		var readers sync.WaitGroup
		for range 6 {
			readers.Go(func() {
				<-start
				lock.RLock()
				defer lock.RUnlock()
				values, keys := x.Values(), x.Keys("tls")
				x.Keys("unknown")
				matching, err := x.Matching(with("tls", "unknown"))
				if err != nil || !slices.Contains(values, "tls") || !slices.Equal(keys, []string{"web"}) ||
					!slices.Equal(matching, keys) {
					failed <- fmt.Sprintf("Keys was %s, Matching %s, Values %s",
						names(keys), names(matching), names(values))
				}
			})
		}
		close(start)
		readers.Wait()
		lock.Lock()
		x.Delete(key)
		lock.Unlock()
	}
	close(failed)
	how, any := <-failed
	exercise.Expect(t, !any, exercise.Verdict{
		Expected: "six readers at once all see web under tls: Keys of tls, and Matching of a pod with tls unknown, " +
			"are web",
		Happened: how,
	})
}

func TestManyCalls(t *testing.T) {
	exercise.Attempted(t, nothingToWaitFor)
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(4, seed))
		some := func() []string {
			set := make([]string, random.IntN(4))
			for i := range set {
				set[i] = []string{"", "u", "v", "w"}[random.IntN(4)]
			}
			return set
		}
		s, m := begin(t), model{}
		var held []*pod
		for range 3 + seed/40 {
			key := []string{"", "a", "b", "c"}[random.IntN(4)]
			switch random.IntN(9) {
			case 0, 1, 2:
				p := s.put(key, some()...)
				held, m[key] = append(held, p), slices.Clone(p.mounts)
			case 3:
				if len(held) > 0 {
					p := held[random.IntN(len(held))]
					s.changes(p, with(some()...))
				}
			case 4:
				if len(held) > 0 {
					p := held[random.IntN(len(held))]
					s.putPod(key, p)
					m[key] = slices.Clone(p.mounts)
				}
			case 5:
				s.putBroken(key, broken(int(seed), some()...))
			case 6:
				s.delete(key)
				delete(m, key)
			case 7:
				m = replaced(s, m, random, some)
			case 8:
				set := some()
				s.matching(nil, with(set...), m.matching(set)...)
			}
			s.holds(nil, m.lines()...)
			for _, v := range []string{"", "u", "v", "w"} {
				s.matching(nil, with(v), m.matching([]string{v})...)
			}
		}
	}
}

package versions_test

import (
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/watch"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/exercises/2-versions"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// empty are the answers while the store has taken in nothing.
var empty = answers{last: "", list: "0", stream: "", watch: ""}

func TestTheFirstRequests(t *testing.T) {
	exercise.Attempted(t)
	begin(t).answers(empty, clues{
		`Stream "0"`: "the belief that a streaming list begins as a list does. At \"0\" the server would stream " +
			"whatever state it has at hand, and at \"\" it streams the newest one from memory, too",
	})
}

func TestAnotherList(t *testing.T) {
	exercise.Attempted(t)
	about := clues{
		`List ""`: "the belief that a list has to be one of the newest state. After a watch has failed everywhere at " +
			"once, all clients would send the server to its storage, for what it has in memory",
	}
	begin(t).synced("100").holds("100", about)
	begin(t).synced("100").counts(watch.Modified, "105", about).synced("205").holds("205", about)
}

func TestEvents(t *testing.T) {
	exercise.Attempted(t)
	added := clues{"false": "the belief that an ADDED is part of an initial state. A watch from a version has none, " +
		"and sends an ADDED when an object was created"}
	deleted := clues{"false": "the belief that a DELETED brings the version that the object had. It brings that of " +
		"the deletion, and who leaves it out is told of the deletion again"}
	bookmark := clues{"false": "the belief that a bookmark changes nothing. It is sent for its version alone, so " +
		"that the one of a quiet watch does not expire"}
	begin(t).synced("100").opened().counts(watch.Modified, "101", nil)
	for _, opened := range []bool{true, false} { // else it is the watch of a streaming list
		s := begin(t).synced("100")
		if opened {
			s.opened().holds("100", nil)
		}
		s.counts(watch.Added, "101", added)
		s.counts(watch.Modified, "102", nil)
		s.counts(watch.Deleted, "103", deleted)
		s.counts(watch.Bookmark, "120", bookmark)
		s.counts(watch.Added, "121", added).opened().counts(watch.Added, "122", added)
		s.opened().counts(watch.Deleted, "130", deleted).opened().counts(watch.Bookmark, "131", bookmark)
	}
}

func TestAVersionThatTheServerDoesNotHave(t *testing.T) {
	exercise.Attempted(t)
	const zero = "the belief that whoever can't have its version begins as a new reflector does. The store holds " +
		"what it held, and at \"0\" it may be told of something older"
	about := clues{
		`Last ""`: zero, `List "0"`: zero,
		`Watch ""`: "the belief that a watch can begin at the newest state. What happened between what the store " +
			"holds and that, it would never hear",
	}
	ever := clues{`List ""`: "the belief that a server that could not serve one version can serve none. Each list " +
		"from then on would ask for the newest state"}
	newest := answers{last: "100", list: "", stream: "", watch: "100"}
	s := begin(t).synced("100").holds("100", nil)
	s.unavailable().answers(newest, about).unavailable().answers(newest, about)
	s.synced("200").holds("200", ever).opened().counts(watch.Modified, "201", ever)
	s.unavailable().answers(answers{last: "201", watch: "201"}, about).synced("201").holds("201", ever)
	begin(t).unavailable().answers(answers{}, nil).synced("5").holds("5", ever)
	begin(t).synced("100").unavailable().synced("").answers(empty, nil)
	begin(t).synced("100").unavailable().synced("0").holds("0", nil)
}

func TestVersionsAreTexts(t *testing.T) {
	exercise.Attempted(t)
	const belief = "the belief that the greatest version is the newest. What the store took in last is what it holds"
	about := func(before string) clues {
		return clues{"Last " + strconv.Quote(before): belief, "false": belief}
	}
	begin(t).synced("11").opened().counts(watch.Modified, "12", nil)
	s := begin(t).synced("9").opened().counts(watch.Modified, "10", about("9"))
	s.counts(watch.Bookmark, "1000", about("10")).unavailable().synced("50").holds("50", about("1000"))
	s.opened().counts(watch.Modified, "51", nil).synced("7").counts(watch.Added, "8", nil)
	s = begin(t).synced("v-b").counts(watch.Modified, "v-a", nil).opened()
	s.counts(watch.Deleted, "99999999999999999999999", nil).counts(watch.Bookmark, "010", nil)
	s.counts(watch.Added, "10", nil).counts(watch.Modified, "10", nil).opened().counts(watch.Added, "9", nil)
	s.counts(watch.Bookmark, "00", nil).opened().counts(watch.Added, " 0", nil)
}

func TestSyntheticEvents(t *testing.T) {
	exercise.Attempted(t)
	about := clues{"true": "the belief that each event's version is one to go on from. The objects that there are " +
		"come in any order, and who went on from 50 after 90 was not told of 70, and never will be"}
	none := answers{"0", "0", "0", "0"}
	for _, from := range []struct {
		version string
		want    answers
	}{{"", empty}, {"0", none}} {
		for _, kind := range []watch.EventType{watch.Modified, watch.Deleted, watch.Bookmark} {
			s := begin(t).synced(from.version).answers(from.want, nil).opened().answers(from.want, nil)
			s.leaves(watch.Added, "90", from.want, about).leaves(watch.Added, "50", from.want, about)
			s.counts(kind, "95", nil).counts(watch.Added, "96", nil).opened().counts(watch.Added, "97", nil)
		}
	}
}

func TestEachWatchForItself(t *testing.T) {
	exercise.Attempted(t)
	none := answers{"0", "0", "0", "0"}
	s := begin(t).synced("0").opened().leaves(watch.Added, "90", none, nil)
	s.opened().leaves(watch.Added, "50", none, nil).counts(watch.Modified, "95", nil)
	s.synced("0").opened().leaves(watch.Added, "60", none, nil).synced("200").counts(watch.Added, "201", nil)
	s.synced("").opened().leaves(watch.Added, "70", empty, nil).synced("300").opened().counts(watch.Added, "301", nil)
	s.opened().counts(watch.Modified, "302", nil).synced("0").opened().leaves(watch.Added, "80", none, nil)
	for _, version := range []string{"", "0"} { // of a streaming list
		begin(t).synced(version).counts(watch.Added, "5", nil).opened().counts(watch.Added, "6", nil)
		s = begin(t).synced("0").opened().leaves(watch.Added, "90", none, nil)
		s.synced(version).counts(watch.Added, "5", nil)
	}
	for _, kind := range []watch.EventType{watch.Modified, watch.Deleted, watch.Bookmark} {
		begin(t).synced("0").opened().counts(kind, "0", nil).opened().leaves(watch.Added, "9", none, nil)
	}
}

func TestTwoReflectors(t *testing.T) {
	exercise.Attempted(t)
	a, b := begin(t), begin(t)
	a.synced("100").holds("100", nil)
	b.answers(empty, nil).synced("0").opened()
	a.opened().counts(watch.Added, "101", nil).unavailable()
	b.leaves(watch.Added, "7", answers{"0", "0", "0", "0"}, nil).counts(watch.Modified, "8", nil)
	a.answers(answers{last: "101", watch: "101"}, nil)
}

func TestWhereTheWatchWasOpened(t *testing.T) {
	exercise.Attempted(t)
	about := clues{"false": "the belief that Last says what the watch is doing. Where a watch begins is settled when " +
		"it is opened, and an initial state that is over does not come back"}
	none := answers{"0", "0", "0", "0"}
	for _, kind := range []watch.EventType{watch.Modified, watch.Deleted, watch.Bookmark} {
		s := begin(t).synced("0").opened().leaves(watch.Added, "5", none, nil).leaves(watch.Added, "0", none, nil)
		s.counts(kind, "0", nil).counts(watch.Added, "6", about)
		s = begin(t).synced("7").opened().counts(kind, "0", nil).counts(watch.Added, "6", about)
		s.counts(watch.Added, "6", nil)
	}
}

// Each round has one call of the reflector's, which nothing orders with the readers: the race detector sees that,
// whoever is first.
func TestLastFromAnyGoroutine(t *testing.T) {
	exercise.Attempted(t)
	var v Versions
	calls := []func(version string){
		v.Synced,
		func(version string) { v.Event(eventOf(watch.Modified, version)) },
		func(string) { v.Opened() }, // Watch comes before each round
		func(string) { v.Unavailable() },
		func(string) { v.List() },
		func(string) { v.Stream() },
		func(string) { v.Watch() },
	}
	for n := range 15 * len(calls) {
		before, after := v.Watch(), strconv.Itoa(n)
		var got [3]string
		var readers sync.WaitGroup
		for i := range got {
			readers.Go(func() { got[i] = v.Last() })
		}
		calls[n%len(calls)](after)
		readers.Wait()
		for _, last := range got {
			exercise.Expect(t, last == before || last == after, exercise.Verdict{
				Expected: fmt.Sprintf("Last was %q, becomes %q, and is one of them for others", before, after),
				Happened: fmt.Sprintf("it was %q", last),
			})
		}
	}
}

// Each call here leaves Last at "0", and so it is "0" for those who ask while a call runs. The time only ends the test:
// a right answer passes however slow the machine is.
func TestLastWhileItStays(t *testing.T) {
	exercise.Attempted(t)
	var v Versions
	v.Synced("0")
	var over atomic.Bool
	var seen [2]string
	var ready, readers sync.WaitGroup
	ready.Add(len(seen))
	for i := range seen {
		readers.Go(func() {
			seen[i] = v.Last()
			ready.Done()
			for seen[i] == "0" && !over.Load() {
				runtime.Gosched() // on a single processor, the calls get what time there is
				seen[i] = v.Last()
			}
			over.Store(true) // who has seen another ends it for all
		})
	}
	ready.Wait()
	added, bookmark := eventOf(watch.Added, "9"), eventOf(watch.Bookmark, "0")
	for begun := time.Now(); time.Since(begun) < 250*time.Millisecond && !over.Load(); {
		v.Watch()
		v.Opened()
		for range 4 {
			v.Event(added)
		}
		v.Event(bookmark)
		v.Unavailable()
		v.Synced("0")
	}
	over.Store(true)
	readers.Wait()
	for _, last := range seen {
		exercise.Expect(t, last == "0", exercise.Verdict{
			Expected: `each call leaves Last as it was, and it is "0" for others while a call runs`,
			Happened: fmt.Sprintf("it was %q", last),
		})
	}
}

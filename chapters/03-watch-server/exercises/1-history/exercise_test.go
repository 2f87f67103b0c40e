package history_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/exercises/1-history"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestResume(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	w := begin(10, 1).add(2, 3, 4, 5)
	w.replays(t, 3, belief{
		includesIt: func() bool { return w.says(2) == "[2 3 4 5]" && w.says(3) == "[3 4 5]" && w.says(5) == "[5]" },
		skipsOne:   func() bool { return w.says(1) == "[3 4 5]" && w.says(2) == "[4 5]" && w.says(3) == "[5]" },
	}, 4, 5)
}

func TestNewest(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	w := begin(10, 1).add(2, 3)
	w.replays(t, 3, belief{nothing: func() bool {
		return w.says(3) == "ErrExpired" && w.says(2) == "[3]" && w.says(1) == "[2 3]"
	}})
}

func TestWindowsShareNothing(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	a, b := begin(10, 1).add(2, 3), begin(10, 50).add(60, 61)
	a.add(4)
	a.then = ", and another window took [60 61] meanwhile"
	b.then = ", and another window took [2 3 4] meanwhile"
	a.replays(t, 2, nil, 3, 4)
	b.replays(t, 60, nil, 61)
}

func TestRevisionsHaveGaps(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	gaps := func() *scene { return begin(10, 1).add(10, 14, 15, 30) }
	b := belief{
		oneByOne: func() bool {
			dense := begin(10, 9).add(10, 11, 12, 13)
			return gaps().says(14) != "[15 30]" && dense.says(10) == "[11 12 13]" && dense.says(12) == "[13]"
		},
		mustBeIn: func() bool {
			return gaps().same("ErrExpired", 11, 12, 29) && gaps().says(10) == "[14 15 30]" &&
				gaps().says(14) == "[15 30]"
		},
	}
	gaps().replays(t, 14, b, 15, 30)
	gaps().replays(t, 15, b, 30)
	gaps().replays(t, 10, b, 14, 15, 30)
	gaps().replays(t, 12, b, 14, 15, 30)
	gaps().replays(t, 29, b, 30)
}

func TestForgottenIsExpired(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	many := begin(3, 1)
	for r := uint64(2); r <= 50; r++ {
		many.add(r)
	}
	all := fmt.Sprint(many.took)
	many.expires(t, 1, "change 2 is gone", belief{
		forEver:   func() bool { return many.says(1) == all },
		whatsLeft: func() bool { return many.same("[48 49 50]", 1, 2, 30, 46, 47) },
	})
	w := begin(3, 1).add(2, 3, 4, 5, 6)
	w.expires(t, 2, "change 3 is gone", nil)
	w.expires(t, 1, "change 2 is gone", nil)
	w.expires(t, 0, "change 2 is gone", nil)
}

func TestEdgeOfTheWindow(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	w := begin(3, 1).add(2, 3, 4, 5, 6)
	w.replays(t, 3, nil, 4, 5, 6)
	w.expires(t, 2, "change 3 is gone", nil)
	gaps := func() *scene { return begin(2, 1).add(10, 20, 30, 40) }
	gaps().replays(t, 20, belief{fromOldest: func() bool {
		return gaps().same("ErrExpired", 20, 25, 28) && gaps().says(29) == "[30 40]"
	}}, 30, 40)
	gaps().replays(t, 25, nil, 30, 40)
	b := belief{gapIsFine: func() bool {
		return gaps().same("[30 40]", 19, 15, 11) && gaps().same("ErrExpired", 10, 9, 1)
	}}
	for _, after := range []uint64{19, 15, 10} {
		gaps().expires(t, after, "change 20 is gone", b)
	}
}

func TestAfterTheNewest(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	for _, after := range []uint64{5, 6, 1000} {
		begin(10, 1).add(2, 3, 5).replays(t, after, nil)
		begin(2, 1).add(2, 3, 5).replays(t, after, nil)
	}
}

func TestBeforeTheWindowBegan(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	empty := func() *scene { return begin(10, 7) }
	one := func() *scene { return begin(10, 7).add(9) }
	b := belief{neverGone: func() bool {
		return one().same("[9]", 6) && one().same("[9]", 0) && begin(1, 7).add(9, 11).says(8) == "ErrExpired"
	}}
	empty().replays(t, 7, belief{emptyIsBlank: func() bool {
		return empty().same("ErrExpired", 7, 8, 100) && one().says(7) == "[9]"
	}})
	empty().replays(t, 8, nil)
	empty().replays(t, 1000, nil)
	empty().expires(t, 6, "nobody here knows what was written at 7", b)
	one().replays(t, 7, belief{fromFirst: func() bool {
		return one().same("ErrExpired", 7, 8) && one().says(9) == "[]"
	}}, 9)
	one().replays(t, 8, nil, 9)
	for _, after := range []uint64{6, 1, 0} {
		one().expires(t, after, "nobody here knows what was written at 7", b)
	}
}

func TestAskingChangesNothing(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	w := begin(3, 1).add(2, 3, 4, 5)
	for _, after := range []uint64{2, 5, 1, 3, 1, 5, 2, 3, 2} {
		w.says(after)
		w.then += fmt.Sprintf(", was asked Since(%d)", after)
	}
	w.replays(t, 2, nil, 3, 4, 5)
	w.expires(t, 1, "change 2 is gone", nil)
	w.add(6)
	w.then += ", then took 6"
	w.replays(t, 3, nil, 4, 5, 6)
}

func TestReplayIsTheCallers(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	w := begin(3, 1).add(2, 3, 4)
	got, err := w.Since(1)
	last, lastErr := w.Since(3)
	w.replays(t, 1, nil, 2, 3, 4)
	for r := uint64(5); r < 12; r++ {
		w.add(r)
	}
	exercise.Expect(t, told(got, err) == "[2 3 4]", exercise.Verdict{
		Expected: "a replay of 2, 3 and 4 still reads so after seven more changes were added",
		Happened: "it reads " + told(got, err),
		PointsTo: isACopy,
	})
	exercise.Expect(t, told(last, lastErr) == "[4]", exercise.Verdict{
		Expected: "a replay of 4 alone still reads so after seven more changes were added",
		Happened: "it reads " + told(last, lastErr)})
	w = begin(3, 8).add(9, 10, 11)
	w.replays(t, 8, nil, 9, 10, 11)
	one, _ := w.Since(8)
	other, _ := w.Since(8)
	one[0] = Change{Revision: 999, Name: "scribble"}
	exercise.Expect(t, list(other) == "[9 10 11]", exercise.Verdict{
		Expected: "two callers have asked for the changes after 8, and one has written 999 into its answer: " +
			"the other still has [9 10 11]",
		Happened: "the other has " + list(other)})
	w.then = ", and a caller has written 999 into an answer"
	w.replays(t, 8, nil, 9, 10, 11)
}

func TestReplayCanBeAddedTo(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	for length := range uint64(9) {
		w := begin(10, 0)
		for r := uint64(1); r <= length; r++ {
			w.add(r)
		}
		got, _ := w.Since(0)
		got = append(got, Change{Revision: 999, Name: "scribble"})
		w.add(length + 1)
		w.then = "; before the last one, a caller has added 999 to an answer"
		w.replays(t, length, nil, length+1)
		last := got[len(got)-1].Revision
		exercise.Expect(t, last == 999, exercise.Verdict{
			Expected: fmt.Sprintf("a caller has added 999 to its answer of %d changes, then the window took %d and "+
				"was asked again: the first answer still ends in 999", length, length+1),
			Happened: fmt.Sprintf("it ends in %d", last)})
	}
}

func TestEachChangeIsKept(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	w := begin(10, 1)
	for i, name := range []string{"a", "b", "a", "a", ""} {
		w.Add(Change{Revision: 2 + uint64(i), Name: name})
	}
	w.then = " and took changes of a, b, a, a and an object without a name"
	const all = `[2 of "a" 3 of "b" 4 of "a" 5 of "a" 6 of ""]`
	w.answers(t, 1, all, "each of them: "+all, nil)
}

func TestAnyCapacity(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	none := begin(0, 7)
	none.replays(t, 7, nil)
	none.add(9)
	none.replays(t, 9, nil)
	none.replays(t, 10, nil)
	none.expires(t, 8, "change 9 is gone", nil)
	one := begin(1, 1).add(5)
	one.replays(t, 1, nil, 5)
	one.add(6)
	one.replays(t, 5, nil, 6)
	one.replays(t, 6, nil)
	one.expires(t, 4, "change 5 is gone", nil)
	full := begin(3, 1).add(2, 3, 4)
	full.replays(t, 1, nil, 2, 3, 4)
	full.add(5)
	full.expires(t, 1, "change 2 is gone", nil)
	full.replays(t, 2, nil, 3, 4, 5)
	large := begin(1000, 0)
	for r := uint64(1); r <= 1500; r++ {
		large.add(r)
	}
	large.replays(t, 500, nil, large.took[500:]...)
	large.expires(t, 499, "change 500 is gone", nil)
}

func TestAnyRevision(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	const last = math.MaxUint64
	low := begin(3, 0).add(1, 2)
	low.replays(t, 0, nil, 1, 2)
	low.replays(t, last, nil)
	high := begin(2, last-9).add(last-6, last-4, last)
	high.replays(t, last-6, nil, last-4, last)
	high.replays(t, last-1, nil, last)
	high.replays(t, last, nil)
	high.expires(t, last-7, "the first of them is gone", nil)
	high.expires(t, 3, "the first of them is gone", nil)
	across := begin(3, 1<<63-2).add(1<<63-1, 1<<63, 1<<63+1)
	across.replays(t, 1<<63-1, nil, 1<<63, 1<<63+1)
	across.replays(t, 1<<63-2, nil, 1<<63-1, 1<<63, 1<<63+1)
}

func TestForgottenTakesNoMemory(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	const changes, mayTake = 20_000, 2 << 20
	w := begin(3, 0)
	before := heap()
	for r := uint64(1); r <= changes; r++ {
		w.Add(Change{Revision: r, Name: long(r)})
	}
	grown := int64(heap()) - int64(before)
	runtime.KeepAlive(w)
	exercise.Expect(t, grown < mayTake, exercise.Verdict{
		Expected: fmt.Sprintf("a window for 3 changes took %d: it holds less than %d KB of memory",
			changes, mayTake>>10),
		Happened: fmt.Sprintf("it holds %d KB", grown>>10)})
	exercise.Expect(t, grown > -mayTake, exercise.Verdict{
		Expected: fmt.Sprintf("the memory that is held when a window begins to take %d changes is held afterwards: "+
			"else nobody can tell what the window holds", changes),
		Happened: fmt.Sprintf("%d KB of it were given back", -grown>>10)})
}

func TestForgottenTakesNoMemoryAtOnce(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	const capacity, changes = 8, 40
	const edge = 1 // a window may mark where it begins with the change that it forgot last
	w := New(capacity, 0)
	var names []name
	for r := uint64(1); r <= changes; r++ {
		names = append(names, addLong(w, r))
		if r <= capacity {
			continue
		}
		forgotten := names[:r-capacity]
		held := inMemory(forgotten)
		exercise.Expect(t, held <= edge, exercise.Verdict{
			Expected: fmt.Sprintf("a window for %d changes took %d: the %d that it forgot take no more memory",
				capacity,
				r, len(forgotten)),
			Happened: fmt.Sprintf("%d of them were still in memory", held)})
	}
	runtime.KeepAlive(w)
}

// Every small window is asked everything, after each change that it takes.
func TestEveryWindow(t *testing.T) {
	exercise.Attempted(t, exercise.HangMeans(hang))
	for capacity := range 6 {
		for _, begun := range []uint64{0, 1, 6} {
			w := begin(capacity, begun)
			floor, kept := begun, []uint64{}
			for i := range uint64(11) {
				revision := begun + i*(i+1)/2 + 1 // gaps of 0, 1, 2 ...
				w.add(revision)
				if kept = append(kept, revision); len(kept) > capacity {
					floor, kept = kept[0], kept[1:]
				}
				for after := range revision + 3 {
					if after < floor {
						w.expires(t, after, "it can not tell all of them", nil)
						continue
					}
					w.replays(t, after, nil, above(kept, after)...)
				}
			}
		}
	}
}

package initial_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/exercises/3-initial"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// after is what the watch has for the caller, or for nobody.
func after() []step {
	return []step{added("after", "90"), modified("after", "91"), deleted("after", "92")}
}

func TestReadsUntilTheEnd(t *testing.T) {
	exercise.Attempted(t)
	play(t, with(after(), added("a", "5"), added("b", "3"), end("9"))...).judge(t, clues{
		versionIs("3"): "the belief that the newest object has the version of the whole. Initial events come in no " +
			"order of versions, and what was deleted since has no event",
		stopped: "the belief that who has read the initial state is done with the watch. " +
			"It goes on, and a new one would need what this one is about to say",
		takenMore: "the belief that what follows the end is nobody's. " +
			"It is the first change after the initial state, and the watch says it once",
	})
	play(t, with(after(), end("1"))...).judge(t, nil)
	play(t, with(after(), bookmark("of its own kind", "x", "y", EndAnnotation, "true"))...).judge(t, nil)
}

func TestOrdinaryBookmarks(t *testing.T) {
	exercise.Attempted(t)
	play(t, with(after(), added("a", "5"), bookmark("6"), added("b", "3"), end("9"))...).judge(t, clues{
		versionIs("6"): "the belief that a bookmark ends the initial state. The server sends others whenever it likes",
	})
	play(t, with(after(), bookmark("6", EndAnnotation, "false"), bookmark("7", EndAnnotation, ""),
		bookmark("8", EndAnnotation, "True"), bookmark("8", "true", EndAnnotation), added("b", "3"), end("9"))...).
		judge(t, nil)
}

func TestObjectsWithTheAnnotation(t *testing.T) {
	exercise.Attempted(t)
	mine := map[string]string{EndAnnotation: "true"}
	play(t, with(after(), offer(watch.Added, "a", "5", mine), added("b", "3"), end("9"))...).judge(t, clues{
		versionIs("5"): "the belief that only the server sets an annotation. " +
			"Whoever may write an object may give it this one, too",
	})
}

func TestPauses(t *testing.T) {
	exercise.Attempted(t)
	const day = 24 * time.Hour
	x := play(t, with(after(), pause(time.Hour), added("a", "5"), pause(day), added("b", "3"), pause(time.Second),
		end("9"))...)
	x.judge(t, clues{early: "the belief that a pause shows that everything has been sent. " +
		"A server with much to do pauses in the middle, and what is missing then looks deleted"})
}

func TestChangesAmongTheInitialEvents(t *testing.T) {
	exercise.Attempted(t)
	x := play(t, with(after(), added("a", "5"), added("b", "3"), modified("a", "7"), deleted("b", "8"), added("b", "9"),
		end("9"))...)
	about := clues{}
	if slices.Equal(x.calls, []string{"Add a", "Add b", "Add b"}) {
		about[otherCalls] = "the belief that the initial state consists of ADDED events alone. " +
			"What changes while it is sent may come before its end"
	}
	x.judge(t, about)
	gone := added("a", "5")
	gone.fails = true
	play(t, with(after(), gone, added("b", "3"), end("9"))...).judge(t, nil)
}

func TestErrorEvents(t *testing.T) {
	exercise.Attempted(t)
	about := clues{
		waits: "the belief that what goes wrong comes as an error. In a watch whose status was 200 already, it comes " +
			"as an event",
		early: "the belief that what goes wrong comes as an error. In a watch whose status was 200 already, it comes " +
			"as an event",
	}
	play(t, with(after(), added("a", "5"), failure(410, metav1.StatusReasonExpired))...).judge(t, about)
	play(t, with(after(), failure(500, metav1.StatusReasonInternalError))...).judge(t, about)
	odd := offer(watch.Error, "no status", "9", map[string]string{EndAnnotation: "true"})
	play(t, with(after(), odd)...).judge(t, about)
}

func TestAnEndThatComesTooEarly(t *testing.T) {
	exercise.Attempted(t)
	about := clues{noError: "the belief that the end of a watch is the end of its initial state. " +
		"The connection may break after any object, and what had not come would look deleted"}
	play(t, added("a", "5"), bookmark("6"), closed).judge(t, about)
	play(t, closed).judge(t, about)
}

func TestContextEnds(t *testing.T) {
	exercise.Attempted(t)
	play(t, with(after(), added("a", "5"), pause(time.Minute), ctxEnds, pause(time.Hour))...).judge(t, nil)
	last := added("a", "5")
	last.cancels = true
	const rounds = 20 // so many that chance can't please
	judgeObjectsAfterTheEnd(t, repeat(rounds, func() *run {
		return play(t, with(after(), last, added("b", "3"), end("9"))...)
	}))
	for range rounds {
		play(t, with(after(), last, end("9"))...).judge(t, nil)
		play(t, last, closed).judge(t, nil)
		play(t, with(after(), last, failure(410, metav1.StatusReasonExpired))...).judge(t, nil)
		play(t, with(after(), ctxEnds, added("a", "5"), end("9"))...).judge(t, nil)
	}
}

// judgeObjectsAfterTheEnd names a belief where the same script has different ends: whoever asks ctx has one,
// whoever never does has one, and a select alone leaves it to chance.
func judgeObjectsAfterTheEnd(t *testing.T, plays []*run) {
	t.Helper()
	about, right := clues{}, expected(plays[0].script).calls
	if slices.ContainsFunc(plays, func(x *run) bool { return slices.Equal(x.calls, right) }) {
		about[otherCalls] = "the belief that a select prefers a case. It takes any that is ready, and an event often is"
	}
	for _, x := range plays {
		x.judge(t, about)
	}
}

func TestContextEndsDuringTheWait(t *testing.T) {
	exercise.Attempted(t)
	const rounds = 20
	late := 0
	for range rounds {
		if addedLate(t) {
			late++
		}
	}
	exercise.Expect(t, late <= rounds/2, exercise.Verdict{
		Expected: "Read waits, ADDED a is taken, and ctx ends at once: when ctx has ended, no other object goes to " +
			"the collection",
		Happened: fmt.Sprintf("into.Add was called when ctx had ended, in %d of %d rounds", late, rounds),
	})
}

// A hundred scripts of all that, drawn with a fixed seed.
func TestScripts(t *testing.T) {
	exercise.Attempted(t)
	random := rand.New(rand.NewPCG(5, 3))
	for range 100 {
		play(t, draw(random)...).judge(t, nil)
	}
}

func draw(random *rand.Rand) (script []step) {
	kinds := []watch.EventType{watch.Added, watch.Added, watch.Modified, watch.Deleted, watch.Bookmark}
	values := []map[string]string{nil, nil, nil, {EndAnnotation: "false"}, {EndAnnotation: "true"}}
	for i := range random.IntN(10) {
		kind, annotations := kinds[random.IntN(len(kinds))], values[random.IntN(len(values))]
		s := offer(kind, string(rune('a'+random.IntN(6))), fmt.Sprint(100-i), annotations)
		if s.isEnd() {
			s = pause(time.Duration(random.IntN(5000)) * time.Second)
		}
		s.fails, s.cancels = random.IntN(10) == 0, kind != watch.Bookmark && random.IntN(20) == 0
		script = append(script, s)
	}
	switch random.IntN(5) {
	case 0:
		return append(script, closed)
	case 1:
		return with(after(), append(script, pause(time.Minute), ctxEnds)...)
	case 2:
		return with(after(), append(script, failure(504, metav1.StatusReasonTimeout))...)
	}
	return with(after(), append(script, end("200"))...)
}

func with(more []step, script ...step) []step { return slices.Concat(script, more) }

func repeat(n int, play func() *run) (all []*run) {
	for range n {
		all = append(all, play())
	}
	return all
}

// Stage 2: a step that fails

package cleanup_test

import (
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: the first step fails.
func TestStopFails(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, `It runs; Stop fails; Runs: its error`, clues{
		`done`: "the belief that a process which can't be stopped is done with. It runs on, and " +
			"nobody looks at it again",
		`its error beside true`: beside,
	})
}

const beside = "the belief that nobody looks at done beside an error. A caller that does takes the finalizer out"

func TestLookFails(t *testing.T) {
	exercise.Attempted(t, fair...)
	got := ""
	exercise.Bubble(t, func(*testing.T) {
		s := newScene()
		s.step("It runs")
		s.step("Look fails")
		got = s.step("Runs")
	})
	exercise.Expect(t, !strings.HasSuffix(got, "done"), exercise.Verdict{
		Expected: "It runs; Look fails; Runs; no Run has returned true",
		Happened: "what came of the last step: " + got,
		PointsTo: "the belief that what can't be looked at is not there. The object would go, and the process run on",
	})
}

func TestStopsThere(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, `It runs; Stop fails; Runs: its error; Runs: Stop; it ends; Runs: Keep "hello, bye", Forget, done`, clues{
		``: "the belief that to ask once is enough. The call has failed, and the process knows of nothing",
	})
	play(t, `It has ended; Log fails; Runs: its error; Runs: Keep "hello, bye", Forget, done`, clues{
		`Keep "", Forget, done`: unreadable,
		`Forget, done`:          unreadable,
		`Keep "", its error`:    unreadable,
		``:                      noError,
	})
	play(t, `It has ended; Keep fails; Runs: its error; Runs: Keep "hello, bye", Forget, done`, clues{
		`Forget, done`: "the belief that a step which fails is left out. What comes after it, here Forget, makes " +
			"the failure final",
		`Forget, its error`: "the belief that all steps are tried, and the errors told together. What comes after a " +
			"failed step, here Forget, makes the failure final",
		``: noError,
	})
}

const (
	unreadable = "the belief that a log which can't be read is empty. The next Run may read it, if its folder is " +
		"still there"
	noError = "the belief that the next Run comes by itself. It comes because of the error"
)

func TestKeptStays(t *testing.T) {
	exercise.Attempted(t, fair...)
	const same = "the belief that to keep a log again is to keep the same. Forget has begun, and less of it is there"
	play(t, `It has ended; Forget fails halfway; Runs: Keep "hello, bye", its error; Runs: Forget, done`, clues{
		`Keep "bye", Forget, done`: same,
		`Keep "hello, bye", done`:  "the belief that what was tried is done. The folder is still there",
		`done`:                     "the belief that what is kept is over. The last step is still to be done",

		`Keep "hello, bye", its error beside true`: beside,
	})
	play(t, `It has ended; Forget fails at the end; Runs: Keep "hello, bye", its error; Runs: Forget, done`, clues{
		`Keep "", Forget, done`: same,
	})
	play(t, `It has ended; Forget fails; Runs: Keep "hello, bye", its error; Runs: Forget, done`, clues{
		`Keep "hello, bye", Forget, done`: same,
	})
	play(t, `It has ended; Kept fails; Runs: its error; Runs: Keep "hello, bye", Forget, done`, clues{
		`Keep "hello, bye", Forget, done`: "the belief that an archive which can't say what it has has nothing. The " +
			"log in it may be the good one",
	})
}

// Stage 1: stop, keep the log, forget

package cleanup_test

import (
	"strings"
	"testing"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/exercises/2-cleanup"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: a process has ended.
func TestFolderGoes(t *testing.T) {
	exercise.Attempted(t, fair...)
	got, state := "", Nothing
	exercise.Bubble(t, func(*testing.T) {
		s := newScene()
		s.step("It has ended")
		got = s.step("Runs")
		state = s.state
	})
	exercise.Expect(t, state == Nothing && strings.HasSuffix(got, "done"), exercise.Verdict{
		Expected: "It has ended; Runs; the folder is gone, and Run has returned true",
		Happened: "what came of the last step: " + orNothing(got),
	})
}

func TestOrder(t *testing.T) {
	exercise.Attempted(t, fair...)
	const folderLast = "the belief that the folder may go while the log is still to be kept. When the controller " +
		"dies between the two, the log is lost"
	play(t, `It has ended; Runs: Keep "hello, bye", Forget, done; Runs: done`, clues{
		`Forget, Keep "hello, bye", done`: folderLast,
		`Forget, Keep "", done`:           folderLast,
		`Forget, done, Keep "hello, bye"`: folderLast,
	})
}

func TestRunning(t *testing.T) {
	exercise.Attempted(t, fair...)
	const asked = "the belief that a process which was asked to stop has stopped. It still writes, and may take a while"
	play(t, `It runs; Runs: Stop; it ends; Runs: Keep "hello, bye", Forget, done`, clues{
		`Stop, Keep "hello", Forget is refused, the error "the process runs"`: asked,
		`Stop, Keep "hello"`: asked,
		`Stop, done`:         asked,
		`Keep "hello", Stop`: "the belief that a log can be kept at any time. A process writes as long as it " +
			"runs",
		`Stop, Run does not return`: runWaits,
	})
}

func TestNothing(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, `There is nothing; Runs: done`, clues{
		`Keep "", done`: "the belief that each process has a log. One that was never started has none, and an empty " +
			"one is kept",
		``: "the belief that there is always something to clean up. A process may never have been " +
			"started, or all is done",
	})
}

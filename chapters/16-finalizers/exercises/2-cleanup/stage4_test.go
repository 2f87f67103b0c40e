// Stage 4 (hard): a process that does not end

package cleanup_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: it has had its time.
func TestKilled(t *testing.T) {
	exercise.Attempted(t, fair...)
	got := ""
	exercise.Bubble(t, func(*testing.T) {
		s := newScene()
		for _, step := range []string{"It runs", "Runs", "2 hours pass", "Runs"} {
			got = s.step(step)
		}
	})
	exercise.Expect(t, slices.Contains(strings.Split(got, ", "), "Kill"), exercise.Verdict{
		Expected: "It runs; Runs; 2 hours pass; Runs; the process is killed. Its Grace is 30 seconds",
		Happened: "what came of the last step: " + orNothing(got),
	})
}

func TestNotBefore(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, `It runs; 29 seconds pass; Runs: Stop`, clues{
		`Kill`: "the belief that a deletionTimestamp is when the Grace is over. That of a Pod is. This one says " +
			"when somebody has asked for the end",
	})
}

func TestAfterKill(t *testing.T) {
	exercise.Attempted(t, fair...)
	const twice = "the belief that the Grace is still to begin. It began at Deleted, and is over"
	const killed = "the belief that a process which was killed is dead. It is when Look says so"
	play(t, `It runs; Runs: Stop; 31 seconds pass; Runs: Kill; it ends; Runs: Keep "hello, bye", Forget, done`, clues{
		`Kill, Keep "hello", Forget is refused, the error "the process runs"`: killed,
		`Kill, done`:         killed,
		`Kill, Keep "hello"`: killed,
		`Stop`:               twice,
		``:                   twice,
	})
	play(t, `It runs; Runs: Stop; 31 seconds pass; at Kill: it ends; Runs: Keep "hello, bye", Forget, done`, clues{
		`the error "no such process"`: "the belief that only a Stop can come too late. The process has ended " +
			"right before the Kill",
	})
	play(t, `It runs; Runs: Stop; 31 seconds pass; Kill fails; Runs: its error; Runs: Kill`, clues{``: noError})
	play(t, `It has ended; 31 seconds pass; Runs: Keep "hello, bye", Forget, done`, nil)
}

func TestWhoCounts(t *testing.T) {
	exercise.Attempted(t, fair...)
	const anew = "the belief that the Grace begins when a controller asks. Each one that starts would give it anew, " +
		"and the object says since when"
	play(t, `It runs; 29 seconds pass; Runs: Stop; 2 seconds pass; Runs: Kill`, clues{`Stop`: anew})
	play(t, `It runs; Runs: Stop; 29 seconds pass; another controller; Runs: Stop; 2 seconds pass; `+
		`Runs: Kill`, clues{`Stop`: anew})
	play(t, `It runs; 2 hours pass; another controller; Runs: Kill`, nil)
}

// Stage 3: done, and nobody knows

package cleanup_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: the process ends right before it is asked to.
func TestEndsByItself(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, `It runs; at Stop: it ends; Runs: Keep "hello, bye", Forget, done`, clues{
		`done`: "the belief that a process which has ended leaves nothing to do. Its log is still to be kept",
	})
}

func TestAnotherController(t *testing.T) {
	exercise.Attempted(t, fair...)
	const remembers = "the belief that a controller knows what it has done. The one that did it has died"
	play(t, `It has ended; Forget fails halfway; Runs: Keep "hello, bye", its error; another controller; `+
		`Runs: Forget, done`,
		clues{`Keep "bye", Forget, done`: remembers})
	play(t, `It runs; Runs: Stop; another controller; it ends; Runs: Keep "hello, bye", Forget, done`, clues{
		``:     remembers,
		`Stop`: remembers,
	})
	play(t, `It runs; Runs: Stop; another controller; Runs: Stop`, nil)
}

func TestLostAnswers(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, `It runs; the answer of Stop is lost; Runs: Stop, its error; it ends; `+
		`Runs: Keep "hello, bye", Forget, done`, nil)
	play(t, `It has ended; the answer of Keep is lost; Runs: Keep "hello, bye", its error; Runs: Forget, done`, clues{
		`Keep "hello, bye", Forget, done`: "the belief that a call which has failed has done nothing. The answer " +
			"was lost, and the log is kept",
	})
	play(t, `It has ended; the answer of Forget is lost; Runs: Keep "hello, bye", Forget, its error; Runs: done`, nil)
}

// Any two calls fail, with their effect or without, and the same controller goes on or another one.
func TestEveryFailure(t *testing.T) {
	exercise.Attempted(t, fair...)
	const calls = 14
	for first := range calls {
		for second := first + 1; second <= calls; second++ {
			for how := range 8 {
				failTwice(t, [2]int{first + 1, second + 1}, how&1 > 0, how&2 > 0, how&4 > 0)
			}
		}
	}
}

// failTwice has two calls of one history fail. The process ends when it was asked to.
func failTwice(t *testing.T, which [2]int, firstIsLost, secondIsLost, dies bool) {
	t.Helper()
	var told []string
	archive, ended := "nothing", false
	exercise.Bubble(t, func(*testing.T) {
		s := newScene()
		s.step("It runs")
		n := 0
		s.onCall = func(method string) (fails, lost bool) {
			n++
			fails, lost = n == which[0] || n == which[1], n == which[0] && firstIsLost || n == which[1] && secondIsLost
			if fails && lost {
				told = append(told, "the answer of "+method+" is lost")
			} else if fails {
				told = append(told, method+" fails")
			}
			return fails, lost
		}
		for range 10 {
			got := s.step("Runs")
			told = append(told, "Runs: "+orNothing(got))
			if strings.HasSuffix(got, "done") {
				ended = s.state == "Nothing"
				break
			}
			if s.asked && s.state == "Running" {
				s.step("it ends")
				told = append(told, "it ends")
			}
			if dies {
				s.step("another controller")
			}
		}
		if s.archive != nil {
			archive = fmt.Sprintf("%q", *s.archive)
		}
	})
	who := "the same controller goes on"
	if dies {
		who = "another controller goes on each time"
	}
	exercise.Expect(t, archive == fmt.Sprintf("%q", whole) && ended, exercise.Verdict{
		Expected: fmt.Sprintf("It runs; calls %d and %d fail; %s; in the end the archive has %q, and the "+
			"folder is gone", which[0], which[1], who, whole),
		Happened: strings.Join(told[max(0, len(told)-6):], "; ") + "; the archive has " + archive,
	})
}

package mirrortest

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// Controller runs a mirror controller of the group until ctx ends, and returns when all that it has started has ended.
// The configuration says how the API server is talked to, and the client is made for it.
type Controller func(ctx context.Context, config *rest.Config, client *http.Client, group string) error

// sentence is something that a mirror controller keeps.
type sentence struct {
	says string
	play func(*World)
}

// sentences are all of them.
func sentences() []sentence {
	var all []sentence
	for _, some := range [][]sentence{plain, restarts, troubles} {
		all = append(all, some...)
	}
	return all
}

// Run runs the suite, in virtual time. In a package that calls it, utilruntime.ErrorHandlers[1:] have to be taken away:
// one of them counts time across bubbles.
func Run(t *testing.T, controller Controller) {
	for _, s := range sentences() {
		t.Run(s.says, func(t *testing.T) { report(t, play(t, controller, s.play)) })
	}
	if t.Failed() { // the sentences say better what is wrong
		return
	}
	t.Run("whatever happens, it converges", func(t *testing.T) {
		for seed := range uint64(seeds) {
			if report(t, play(t, controller, func(w *World) { w.random(seed) })); t.Failed() {
				t.Fatalf("that was seed %d", seed)
			}
		}
	})
}

// Play plays one sentence of the suite, and returns what was wrong.
func Play(t *testing.T, controller Controller, says string) []string {
	t.Helper()
	all := sentences()
	i := slices.IndexFunc(all, func(s sentence) bool { return s.says == says })
	if i < 0 {
		t.Fatalf("the suite has no sentence %q", says)
	}
	return play(t, controller, all[i].play)
}

// play plays in a bubble, and returns what was wrong.
func play(t *testing.T, controller Controller, script func(*World)) (problems []string) {
	t.Helper()
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t, controller)
		defer func() { problems = w.problems }()
		defer w.end()
		defer func() {
			if p := recover(); p != nil && p != errGiveUp {
				panic(p)
			}
		}()
		script(w)
	})
	return problems
}

func report(t *testing.T, problems []string) {
	t.Helper()
	if len(problems) > 0 {
		t.Error(strings.Join(problems, "\n"))
	}
}

// Package crash kills mirror controllers, each in a process of its own, on the API server. What is below mirrortest in
// virtual time is here with SIGKILL: nothing is deferred, no buffer is flushed, no connection is closed.
//
// Reading order: what a test is (crash.go); the world (world.go), who writes in it (user.go) and who looks whether it
// is right (judge.go); the controller's process, from outside (process.go) and from inside (life.go).
package crash

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// lives is how often a controller begins in one test. Only the last is not killed.
const lives = 4

// Test kills a controller at one of its requests, before the server has got it or after it has answered, while somebody
// writes, and begins another, and kills it as well. The last one has to make all right, to touch nothing that is no
// mirror, and then to write nothing.
func Test(t *testing.T, seed uint64, controller string) {
	draw := rand.New(rand.NewPCG(seed, 9))
	w := New(t)
	for life := range lives {
		l := Life{Controller: controller, KillAt: 1 + draw.Int64N(25), Answered: draw.IntN(2) > 0}
		if life == lives-1 {
			l.KillAt = 0
		}
		died, _ := w.Start(l)
		for range 10 {
			w.Write(draw)
		}
		if l.KillAt > 0 {
			w.until(died, draw)
		}
	}
	w.right()
	require.Empty(t, w.quiet())
	require.Empty(t, w.Touched())
}

// until has somebody write until a controller has died of it.
func (w *World) until(died <-chan struct{}, draw *rand.Rand) {
	w.t.Helper()
	for end := time.After(Patience); ; {
		select {
		case <-died:
			return
		case <-end:
			w.t.Fatalf("a controller that was to be killed lives after %v", Patience)
		default:
			w.Write(draw)
		}
	}
}

// Trouble has somebody write for a while, and then all has to become right.
func (w *World) Trouble() {
	w.t.Helper()
	draw := rand.New(rand.NewPCG(9, 9))
	for range 60 {
		w.Write(draw)
	}
	w.Put(w.Namespaces[0], "last", mirror.Source, "of a test") // so that there is something to do at the end
	w.right()
	require.Empty(w.t, w.Touched())
}

func (w *World) right() {
	w.t.Helper()
	if problems := w.Converges(); problems != nil {
		w.t.Fatalf("%v after the last write of a user:\n%s", Patience, strings.Join(problems, "\n"))
	}
}

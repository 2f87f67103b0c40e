package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var full = flag.Bool("full", false, "TestCrashes: 100 seeds on both controllers, and not 10 on one or the other")

// lives is how often a controller begins in one test. Only the last is not killed.
const lives = 4

// A controller is killed with SIGKILL at one of its requests, before the server has got it or after it has answered,
// while somebody changes sources, mirrors and what stands in their places. The next one knows nothing of it. Whatever
// has happened and however often, the world becomes what an oracle computes from what there is: the state, and not its
// history, decides. Nothing is touched that is no mirror, and when all is right nothing is written.
//
// covers: S0-12
func TestCrashes(t *testing.T) {
	seeds, names := 10, []string{"client-go", "the book's"}
	if *full {
		seeds = 100
	}
	for seed := range seeds {
		for i, name := range names {
			if !*full && i != seed%len(names) {
				continue
			}
			t.Run(fmt.Sprintf("seed %d, %s", seed, name), func(t *testing.T) { crash(t, uint64(seed), name) })
		}
	}
}

func crash(t *testing.T, seed uint64, parts string) {
	draw := rand.New(rand.NewPCG(seed, 9))
	w := newCrashWorld(t)
	for life := range lives {
		l := newLife(draw, parts)
		if life == lives-1 {
			l.KillAt = 0
		}
		died, _ := w.controller(l)
		for range 10 {
			w.write(draw)
		}
		if l.KillAt == 0 {
			break
		}
		w.until(died, draw)
	}
	if problems := w.converges(); problems != nil {
		t.Fatalf("%v after the last write of a user:\n%s", patience, strings.Join(problems, "\n"))
	}
	require.Empty(t, w.quiet())
	require.Empty(t, w.touched())
}

func newLife(draw *rand.Rand, parts string) life {
	return life{Parts: parts, KillAt: 1 + draw.Int64N(25), Answered: draw.IntN(2) > 0}
}

// until has somebody write until a controller has died of it.
func (w *crashWorld) until(died <-chan struct{}, draw *rand.Rand) {
	w.t.Helper()
	for end := time.After(patience); ; {
		select {
		case <-died:
			return
		case <-end:
			w.t.Fatalf("a controller that was to be killed lives after %v", patience)
		default:
			w.write(draw)
		}
	}
}

package lab

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A step that shows nothing for two seconds says that it works, and how long, until something comes.
func TestASilentStepSaysThatItWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		n := NewNarrator(&out, nil)
		n.redraws = true
		end := n.working()
		shows := func(after time.Duration, want string) {
			t.Helper()
			time.Sleep(after)
			synctest.Wait()
			n.mu.Lock()
			defer n.mu.Unlock()
			require.Equal(t, want, out.String())
			out.Reset()
		}
		shows(1999*time.Millisecond, "")
		n.Say("here")
		shows(1999*time.Millisecond, "   here\n")
		shows(time.Millisecond, erase+"   still at work, 2s")
		shows(time.Second, erase+"   still at work, 3s")
		n.Say("there")
		shows(1999*time.Millisecond, erase+"   there\n")
		shows(time.Millisecond, erase+"   still at work, 2s")
		end()
		n.Say("after it")
		shows(time.Minute, erase+"   after it\n")
	})
}

// What reads a pipe or a file is told nothing of it.
func TestOutsideATerminalNothingSaysThatAStepWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		end := NewNarrator(&out, nil).working()
		time.Sleep(time.Minute)
		end()
		require.Empty(t, out.String())
	})
}

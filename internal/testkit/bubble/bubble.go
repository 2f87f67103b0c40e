// Package bubble runs a function in a bubble of testing/synctest and survives what that leaves undone: synctest panics
// over a goroutine left in the bubble, and the panic would end the test binary.
package bubble

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
)

// Kind says what was wrong with a bubble.
type Kind int

// What synctest panics about.
const (
	Left     Kind = iota + 1 // the function returned and goroutines were left, all of them waiting for ever
	Deadlock                 // the function and all it started wait for ever
)

// Trouble is what synctest found at the end of a bubble.
type Trouble struct {
	Kind   Kind
	Stacks string // of the goroutines in the bubble, as runtime.Stack writes them
}

// Run runs f in a bubble. It reports false, and what was found, when synctest gave up on the bubble. The goroutines of
// such a bubble stay for the life of the process; nothing can end them.
func Run(t *testing.T, f func(t *testing.T)) (trouble Trouble, ok bool) {
	t.Helper()
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		text := fmt.Sprint(r)
		switch {
		case strings.Contains(text, "main bubble goroutine has exited"):
			trouble = Trouble{Kind: Left}
		case strings.Contains(text, "all goroutines in bubble are blocked"):
			trouble = Trouble{Kind: Deadlock}
		default:
			panic(r)
		}
		trouble.Stacks, ok = newest(stacks()), false
	}()
	synctest.Test(t, f)
	return Trouble{}, true
}

func stacks() string {
	buf := make([]byte, 1<<20)
	return string(buf[:runtime.Stack(buf, true)])
}

var bubbleNumber = regexp.MustCompile(`^goroutine \d+ \[[^\]]*synctest bubble (\d+)\]`)

// newest keeps the goroutines of the bubble with the highest number: bubbles given up earlier are still there.
func newest(dump string) string {
	var kept []string
	highest := 0
	for block := range strings.SplitSeq(dump, "\n\n") {
		m := bubbleNumber.FindStringSubmatch(block)
		if m == nil || strings.Contains(block, "\ntesting/synctest.testingSynctestTest(") {
			continue
		}
		n := 0
		fmt.Sscan(m[1], &n)
		if n > highest {
			highest, kept = n, nil
		}
		if n == highest {
			kept = append(kept, block)
		}
	}
	return strings.Join(kept, "\n\n")
}

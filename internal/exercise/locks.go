package exercise

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A dump names who waits for a lock and not who holds it. What singles the holder out is the source: a call that has
// passed a Lock, with no Unlock between that and the line at which it is.

// manyGoroutines are more than anybody reads about, and more than there is time for before the process is ended.
const manyGoroutines = 1000

// lockStory says who holds up a test in which somebody waits for a lock, or "" where nothing singles anybody out.
func lockStory(all []goroutine, source []byte) string {
	if len(all) > manyGoroutines || !slices.ContainsFunc(all, goroutine.waitsForLock) {
		return ""
	}
	functions := functionsOf(source)
	wanted := map[string]bool{}
	for _, g := range all {
		if g.waitsForLock() {
			wanted[lockedAt(functions, g.frames[0].line)] = true
		}
	}
	var waiters, holders []goroutine
	others := 0
	for _, g := range all {
		switch {
		case g.at == "":
			continue
		case g.waitsForLock():
			waiters = append(waiters, g)
		default:
			others++
		}
		if g.held(functions, wanted) != "" {
			holders = append(holders, g)
		}
	}
	if functions == nil || len(holders) > 2 {
		return ""
	}
	if len(holders) == 0 {
		if others > 0 {
			return ""
		}
		return waiters[0].asks()
	}
	var parts []string
	waits := false
	for _, h := range holders {
		parts = append(parts, h.says()+h.held(functions, wanted))
		waits = waits || h.waitsForLock()
	}
	if !waits {
		parts = append(parts, waiters[0].says())
	}
	return strings.Join(parts, "; ")
}

func (g goroutine) says() string { return g.doing() + " at " + g.at }

// maxCallers are enough to see that a method that locks calls another one.
const maxCallers = 3

// asks says who waits for a lock that nobody is known to hold: with its callers, since one of them may hold it.
func (g goroutine) asks() string {
	var calls []string
	for _, f := range g.frames {
		calls = append(calls, f.String())
	}
	calls = slices.Compact(calls) // a closure has the name of the function around it
	return g.doing() + " at " + strings.Join(calls[:min(len(calls), 1+maxCallers)], ", called at ")
}

// held says after which Lock a goroutine is, in words that follow its place: in the innermost function that has passed
// one of a wanted name, which may be a caller.
func (g goroutine) held(functions []function, wanted map[string]bool) string {
	for i, f := range g.frames {
		line := lockBefore(functions, f, wanted)
		switch {
		case line == 0:
			continue
		case i == 0:
			return fmt.Sprintf(", after the Lock of exercise.go:%d", line)
		}
		return fmt.Sprintf(", called at %s, after the Lock of exercise.go:%d", f, line)
	}
	return ""
}

// learnersFile is exercise.go as it lies beside the tests: the grader puts the file that it grades there.
func learnersFile() []byte {
	text, err := os.ReadFile(filepath.Join(folder, "exercise.go"))
	if err != nil {
		return nil
	}
	return text
}

package exercise

import (
	"fmt"
	"strings"
	"testing"
)

// boxSource is a learner's file; the numbers of its lines are those of the dumps below.
const boxSource = `package box

func (b *Box) Put(v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if v < 0 {
		b.mu.Unlock()
		return
	}
	b.out <- v
	b.Get()
}

func (b *Box) Get() int {
	b.mu.RLock()
	v := b.value
	b.mu.RUnlock()
	<-b.in
	return v
}

func (b *Box) Swap() {
	b.mu.Lock()
	b.with(func() {
		<-b.in
	})
	if b.closed {
		b.mu.Unlock()
	}
	<-b.in
}

func (b *Box) with(f func()) {
	switch {
	case b.closed:
		b.other.Lock()
	default:
		b.other.Lock()
		b.other.Unlock()
	}
	f()
	b.mu.Lock()
}

func (b *Box) Log() {
	b.log.Lock()
	<-b.in
}
`

// waits is a goroutine as runtime.Stack writes one, with calls in exercise.go, innermost first: "Put:10".
func waits(state string, calls ...string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "goroutine 7 [%s]:\n", state)
	if strings.HasPrefix(state, "sync") {
		out.WriteString("sync.runtime_SemacquireMutex(0xc0001, 0x0?, 0x1)\n\t/go/sema.go:95 +0x25\n" +
			"sync.(*Mutex).Lock(...)\n\t/go/mutex.go:46\n")
	}
	for _, c := range calls {
		name, line, _ := strings.Cut(c, ":")
		if line == "" {
			fmt.Fprintf(&out, "%s(0xc0001)\n\t/go/other.go:12 +0x1\n", name)
			continue
		}
		fmt.Fprintf(&out, "M/2-box.(*Box).%s(0xc0001)\n\t/tmp/g/exercise.go:%s +0x1\n", name, line)
	}
	return out.String() + "M/2-box.TestBox(0xc0001)\n\t/tmp/g/exercise_test.go:12 +0x1\n"
}

// TestLockStory: a hang names who holds the lock where the dump and the source single that out, and else does not
// guess.
func TestLockStory(t *testing.T) {
	const lock, rlock = "sync.Mutex.Lock", "sync.RWMutex.RLock"
	for name, c := range map[string]struct {
		dump []string
		want string
	}{
		"sends with the lock": {[]string{waits(rlock, "Get:15"), waits("chan send", "Put:10")},
			"waiting to send to a channel at exercise.go:10, in (*Box).Put, after the Lock of exercise.go:4; " +
				"waiting for a lock at exercise.go:15, in (*Box).Get"},
		"takes it twice": {[]string{waits(rlock, "Get:15", "Put:11"), waits("chan receive", "Get:18")},
			"waiting for a lock at exercise.go:15, in (*Box).Get, called at exercise.go:11, in (*Box).Put, " +
				"after the Lock of exercise.go:4"},
		"calls back with the lock": {[]string{waits("chan receive", "Swap.func1:25", "with:41", "Swap:24"),
			waits(lock, "Put:4")},
			"waiting to receive from a channel at exercise.go:25, in (*Box).Swap, called at exercise.go:24, in " +
				"(*Box).Swap, after the Lock of exercise.go:23; waiting for a lock at exercise.go:4, in (*Box).Put"},
		"each has what the other wants": {[]string{waits(lock, "with:42", "Swap:24"), waits(rlock, "Get:15", "Put:11")},
			"waiting for a lock at exercise.go:42, in (*Box).with, called at exercise.go:24, in (*Box).Swap, after " +
				"the Lock of exercise.go:23; waiting for a lock at exercise.go:15, in (*Box).Get, called at " +
				"exercise.go:11, in (*Box).Put, after the Lock of exercise.go:4"},
		"runs with the lock": {[]string{waits("running", "Put:10"), waits(lock, "Put:4")},
			"running at exercise.go:10, in (*Box).Put, after the Lock of exercise.go:4; waiting for a lock at " +
				"exercise.go:4, in (*Box).Put"},
		"the lock was left": {[]string{waits(lock, "Put:4"), waits(rlock, "Get:15"), waits("chan receive")},
			"waiting for a lock at exercise.go:4, in (*Box).Put"},
		"a helper took it": {[]string{waits(lock, "lock:53", "lock:53", "Get:15", "Swap:30", "Get:18", "Put:4")},
			"waiting for a lock at exercise.go:53, in (*Box).lock, called at exercise.go:15, in (*Box).Get, called " +
				"at exercise.go:30, in (*Box).Swap, called at exercise.go:18, in (*Box).Get"},
		"unlocked before, or perhaps": {[]string{waits(lock, "Put:4"), waits("chan receive", "Get:18"),
			waits("chan receive", "Swap:30")}, ""},
		"nobody waits for a lock":       {[]string{waits("chan send", "Put:10")}, ""},
		"waits for a lock of a package": {[]string{waits(lock, "net/http.(*Server).Close", "Put:10")}, ""},
		"holds another lock":            {[]string{waits(lock, "Put:4"), waits("chan receive", "Log:47")}, ""},
		"three hold one": {[]string{waits(lock, "Get:15", "Put:11"), waits("select", "Put:10"),
			waits(lock, "with:42", "Swap:24")}, ""},
	} {
		if got := lockStory(parseStacks(strings.Join(c.dump, "\n")), []byte(boxSource)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
	if got := lockStory(parseStacks(waits(lock, "Put:4")), nil); got != "" {
		t.Errorf("without the source: %s", got)
	}
}

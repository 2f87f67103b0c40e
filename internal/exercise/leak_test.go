package exercise

import (
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// TestLeaksAreCounted: goleak lists the goroutines as fmt prints a slice, so that all but the first begin with a space.
func TestLeaksAreCounted(t *testing.T) {
	before, stop := goleak.IgnoreCurrent(), make(chan bool)
	defer close(stop)
	for range 3 {
		go func() { <-stop }()
	}
	err := goleak.Find(before)
	if err == nil {
		t.Fatal("goleak sees nothing")
	}
	v := leakVerdict(&guard{}, parseStacks(err.Error()))
	if !strings.HasPrefix(v.Happened, "3 goroutines are still there") {
		t.Errorf("%q, of:\n%v", v.Happened, err)
	}
}

// TestPanicking: a deferred function knows whether it runs because of a panic.
func TestPanicking(t *testing.T) {
	look := func(f func()) (during bool) {
		defer func() { _ = recover() }()
		defer func() { during = panicking() }()
		f()
		return false
	}
	if look(func() {}) {
		t.Error("a function that returns is taken for one that panics")
	}
	if !look(func() { panic("now") }) || !look(func() { _ = []int{}[len(t.Name())] }) {
		t.Error("a panic is not seen")
	}
}

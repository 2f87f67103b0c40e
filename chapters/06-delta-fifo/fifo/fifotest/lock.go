package fifotest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// How long it takes to believe that somebody waits for a lock, and that nobody does: the second is seldom waited for.
const (
	isBlocked = 100 * time.Millisecond
	isFree    = 5 * time.Second
)

// addWhileProcessing pops the first of so many objects, and adds one meanwhile. It says whether that came to an end
// before process did. The time is real: who waits for a lock would stop the time of a bubble.
func (f queueFunc) addWhileProcessing(t *testing.T, s setup, objects int, patience time.Duration) (ended bool) {
	queue := f(s, &known{})
	for i := range objects {
		require.NoError(t, queue.Add(fmt.Sprint("a", i)))
	}
	added := make(chan error, 1)
	_, err := queue.Pop(func(any, bool) error {
		go func() { added <- queue.Add("z1") }()
		select {
		case err := <-added:
			ended = true
			added <- err
		case <-time.After(patience):
		}
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, <-added)
	return ended
}

func (f queueFunc) locked(t *testing.T, s setup, objects int) {
	if f.addWhileProcessing(t, s, objects, isBlocked) {
		t.Errorf("Add while process runs, with %q and %d objects\nexpected that it waits\nhappened that it returned",
			s, objects)
	}
}

func (f queueFunc) unlocked(t *testing.T, s setup, objects int) {
	if !f.addWhileProcessing(t, s, objects, isFree) {
		t.Errorf("Add while process runs, with %q and %d objects\nexpected that it returns\nhappened that it waited",
			s, objects)
	}
}

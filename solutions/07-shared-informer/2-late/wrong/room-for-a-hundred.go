// Misconception: a channel with enough room never waits.
// Caught by: TestAnyNumberOfCallsWait
// Message: the belief that there is a number of calls that is enough.

//go:build wrong

package late

import "sync/atomic"

type inbox struct {
	calls chan func()
	left  atomic.Bool
}

func newInbox() *inbox {
	b := &inbox{calls: make(chan func(), 1000)}
	go b.run()
	return b
}

func (b *inbox) put(call func()) { b.calls <- call }

func (b *inbox) empty() { b.left.Store(true) }

func (b *inbox) close() { close(b.calls) }

func (b *inbox) run() {
	for call := range b.calls {
		if !b.left.Load() {
			call()
		}
	}
}

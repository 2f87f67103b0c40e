// Breaks: However many calls wait for a Handler, none is left out, as long as it has not left.
// Caught by: TestAnyNumberOfCallsWait
// Message: it was told of 1001

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

func (b *inbox) put(call func()) {
	select {
	case b.calls <- call:
	default:
	}
}

func (b *inbox) empty() { b.left.Store(true) }

func (b *inbox) close() { close(b.calls) }

func (b *inbox) run() {
	for call := range b.calls {
		if !b.left.Load() {
			call()
		}
	}
}

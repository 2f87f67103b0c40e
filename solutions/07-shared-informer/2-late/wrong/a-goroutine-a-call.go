// Misconception: who does not want to wait for a call puts go before it.
// Caught by: TestTellsWhatHappens
// Message: it was told
// Removes: inbox.run

//go:build wrong

package late

import (
	"runtime"
	"sync"
	"sync/atomic"
)

type inbox struct {
	mu    sync.Mutex // held while the handler is called
	calls atomic.Int64
}

func newInbox() *inbox { return &inbox{} }

func (b *inbox) put(call func()) {
	n := b.calls.Add(1)
	go func() {
		for range n % 2 * 100 {
			runtime.Gosched() // wrong: any of them may run first
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		call()
	}()
}

func (b *inbox) empty() {}

func (b *inbox) close() {}

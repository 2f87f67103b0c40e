// Misconception: who has something to tell calls the handlers.
// Caught by: TestNobodyWaitsForAHandler
// Message: the belief that somebody has to wait for a handler.
// Removes: inbox.run

//go:build wrong

package late

// newInbox makes an inbox that keeps nothing.
func newInbox() *inbox { return &inbox{} }

func (b *inbox) put(call func()) { call() }

func (b *inbox) close() {}

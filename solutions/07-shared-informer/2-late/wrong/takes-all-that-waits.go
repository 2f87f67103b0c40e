// Misconception: the inbox is locked less often if all that waits is taken at once, and who left has nothing waiting.
// Caught by: TestLeave
// Message: it was told *a1 *b2 *c3

//go:build wrong

package late

func (b *inbox) run() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		for len(b.calls) == 0 {
			if b.closed {
				return
			}
			b.changed.Wait()
		}
		calls := b.calls
		b.calls = nil
		b.mu.Unlock()
		for _, call := range calls {
			call()
		}
		b.mu.Lock()
	}
}

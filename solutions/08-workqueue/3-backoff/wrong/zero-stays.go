// Breaks: A Backoff keeps nothing of an item that has no failures
// Caught by: TestKeepsNothing
// Message: the belief that a count of zero is no count.

//go:build wrong

package backoff

func (b *Backoff[T]) Forget(item T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures[item] > 0 {
		b.failures[item] = 0 // wrong: that is an entry
	}
}

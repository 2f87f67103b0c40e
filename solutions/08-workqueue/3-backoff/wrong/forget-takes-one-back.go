// Misconception: a success makes up for one failure.
// Caught by: TestForgetBeginsAnew
// Message: the belief that a success makes up for one failure.

//go:build wrong

package backoff

func (b *Backoff[T]) Forget(item T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures[item]--; b.failures[item] <= 0 { // wrong: begins anew only after as many
		delete(b.failures, item)
	}
}

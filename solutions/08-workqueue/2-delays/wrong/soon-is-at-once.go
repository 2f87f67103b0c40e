// Misconception: soon is at once: an item without a delay goes the way of all others.
// Caught by: TestWithoutADelay
// Message: the belief that soon is at once.

//go:build wrong

package delays

import "time"

func (d *Delays[T]) AddAfter(item T, delay time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.stopped {
		d.put(item, time.Now().Add(delay)) // wrong: it is due, and not yet added
	}
}

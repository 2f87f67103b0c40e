// Breaks: After Stop it does nothing.
// Caught by: TestAfterStop
// Message: it was b at

//go:build wrong

package delays

import "time"

func (d *Delays[T]) AddAfter(item T, delay time.Duration) {
	if delay <= 0 {
		d.add(item) // wrong: also after Stop
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.stopped {
		d.put(item, time.Now().Add(delay))
	}
}

// Breaks: Any number of goroutines may call the methods at once.
// Caught by: TestCallsAtOnce
// Message: race

//go:build wrong

package delays

import "time"

func (d *Delays[T]) AddAfter(item T, delay time.Duration) {
	if d.stopped { // wrong
		return
	}
	if delay <= 0 {
		d.add(item)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.stopped {
		d.put(item, time.Now().Add(delay))
	}
}

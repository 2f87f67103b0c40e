// Breaks: add is called with an item that waits in the moment in which its time has come, not earlier and not later.
// Caught by: TestTheLongestDelay
// Message: it was a at 0s, b at 1s

//go:build wrong

package delays

import "time"

func (d *Delays[T]) AddAfter(item T, delay time.Duration) {
	d.mu.Lock()
	stopped := d.stopped
	if delay > 0 && !stopped {
		d.put(item, time.Unix(0, time.Now().UnixNano()+int64(delay))) // wrong: an int64 has not room for each sum
	}
	d.mu.Unlock()
	if delay <= 0 && !stopped {
		d.add(item)
	}
}

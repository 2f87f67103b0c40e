// Breaks: An item waits until add is called with it, also when it is held up, and no longer.
// Caught by: TestWaitsWhileHeldUp
// Message: it was A at 1s, B at 1s, B at 31s

//go:build wrong

package delays

import "time"

func (d *Delays[T]) run() {
	timer := time.NewTimer(0)
	for open := true; open; {
		select {
		case <-timer.C:
		case _, open = <-d.changed:
		}
		var all []T
		for item, due := d.next(timer); due; item, due = d.next(timer) {
			all = append(all, item) // wrong: it waits no more, and is not added yet
		}
		for _, item := range all {
			d.mu.Lock()
			stopped := d.stopped
			d.mu.Unlock()
			if !stopped {
				d.add(item)
			}
		}
	}
}

// Misconception: it is enough to look from time to time.
// Caught by: TestInItsMoment
// Message: the belief that it is enough to look from time to time.

//go:build wrong

package delays

import "time"

func (d *Delays[T]) run() {
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	timer := time.NewTimer(0)
	for open := true; open; {
		select {
		case <-ticker.C: // wrong: the time may have come before
		case _, open = <-d.changed:
		}
		for item, due := d.next(timer); due; item, due = d.next(timer) {
			d.add(item)
		}
	}
}

// Misconception: a timer ends once for each item.
// Caught by: TestInTheSameMoment
// Message: the belief that a timer ends once for each item.

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
		if item, due := d.next(timer); due {
			d.add(item) // wrong: the next one may be due, too
			if at, waits := d.first(); waits && time.Until(at) > 0 {
				timer.Reset(time.Until(at))
			}
		}
	}
}

func (d *Delays[T]) first() (at time.Time, waits bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.line) == 0 {
		return at, false
	}
	return d.line[0].At, true
}

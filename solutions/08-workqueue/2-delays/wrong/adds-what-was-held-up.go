// Breaks: add is not called any more, neither with items whose time comes later nor with those that an add has held up
// until now.
// Caught by: TestAfterStop
// Message: it was A at 1s, b at 11s

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
			all = append(all, item)
		}
		for _, item := range all {
			d.add(item) // wrong: Stop may have been called meanwhile
		}
	}
}

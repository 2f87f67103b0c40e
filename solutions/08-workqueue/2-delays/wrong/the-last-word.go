// Misconception: what was said last holds: a timer is reset.
// Caught by: TestTheEarlierTimeHolds
// Message: the belief that what was said last holds.
// Base: alt/alarms

//go:build wrong

package delays

import "time"

func (d *Delays[T]) AddAfter(item T, delay time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopped {
		return
	}
	if delay <= 0 {
		d.mu.Unlock()
		defer d.mu.Lock()
		d.add(item)
		return
	}
	if old := d.alarms[item]; old != nil {
		old.timer.Stop() // wrong: it may be the earlier one
	}
	mine := &alarm{at: time.Now().Add(delay)}
	d.alarms[item] = mine
	mine.timer = time.AfterFunc(delay, func() { d.ring(item, mine) })
}

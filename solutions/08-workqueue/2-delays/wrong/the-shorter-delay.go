// Misconception: the shorter delay is the earlier time.
// Caught by: TestTheEarlierTimeHolds
// Message: the belief that the shorter delay is the earlier time.
// Base: alt/alarms

//go:build wrong

package delays

import "time"

type alarm struct {
	delay time.Duration
	timer *time.Timer
}

func (d *Delays[T]) AddAfter(item T, delay time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopped {
		return
	}
	old := d.alarms[item]
	if delay > 0 && old != nil && delay >= old.delay { // wrong: they begin at different times
		return
	}
	if old != nil {
		old.timer.Stop()
		delete(d.alarms, item)
	}
	if delay <= 0 {
		d.mu.Unlock()
		defer d.mu.Lock()
		d.add(item)
		return
	}
	mine := &alarm{delay: delay}
	d.alarms[item] = mine
	mine.timer = time.AfterFunc(delay, func() { d.ring(item, mine) })
}

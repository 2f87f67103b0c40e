// Misconception: whoever received an object after it was written to has not written.
// Caught by: TestReceivedBy
// Message: the belief that an object is written to once

//go:build wrong

package mutation

import "reflect"

func (d *Detector[T]) Received(object T, by string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.watched[object]; ok && reflect.DeepEqual(object, r.was) {
		r.receivedBy[by] = true
	}
}

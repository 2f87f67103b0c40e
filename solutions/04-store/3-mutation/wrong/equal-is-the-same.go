// Misconception: two objects with the same values are one object.
// Caught by: TestUpdate
// Message: it reported nothing

//go:build wrong

package mutation

import "reflect"

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for other := range d.watched {
		if reflect.DeepEqual(other, object) {
			return
		}
	}
	d.added++
	d.watched[object] = &record[T]{nth: d.added, was: object.DeepCopy(), receivedBy: map[string]bool{}}
}

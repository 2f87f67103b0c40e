// Breaks: The detector does not change it later; and what the caller writes to it, to all but the Object, changes
// no later report.
// Caught by: TestReportsOfEqualObjects
// Message: it reported soup@7 (another one), received by nobody

//go:build wrong

package mutation

import "reflect"

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.watched[object]; ok {
		return
	}
	d.added++
	d.watched[object] = &record[T]{nth: d.added, was: d.copyOf(object), receivedBy: map[string]bool{}}
}

// copyOf copies the object, unless there is a copy already that is equal to it.
func (d *Detector[T]) copyOf(object T) T {
	for _, r := range d.watched {
		if reflect.DeepEqual(r.was, object) {
			return r.was
		}
	}
	return object.DeepCopy()
}

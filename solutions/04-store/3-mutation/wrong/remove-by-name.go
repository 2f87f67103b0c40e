// Breaks: An object is its pointer: another pointer is another object, even to the same name or to equal values.
// Caught by: TestUpdate
// Message: it reported nothing

//go:build wrong

package mutation

import "reflect"

func (d *Detector[T]) Remove(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for other := range d.watched {
		if nameOf(other) == nameOf(object) {
			delete(d.watched, other)
		}
	}
}

func nameOf(object any) string {
	return reflect.ValueOf(object).Elem().FieldByName("Name").String()
}

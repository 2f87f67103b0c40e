// Breaks: Each object has call sites of its own.
// Caught by: TestReceivedBy
// Message: it reported soup@7

//go:build wrong

package mutation

import "reflect"

func (d *Detector[T]) Received(object T, by string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for other, r := range d.watched {
		if nameOf(other) == nameOf(object) {
			r.receivedBy[by] = true
		}
	}
}

func nameOf(object any) string {
	return reflect.ValueOf(object).Elem().FieldByName("Name").String()
}

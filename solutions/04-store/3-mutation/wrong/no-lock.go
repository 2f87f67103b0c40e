// Misconception: who only notes something needs no lock.
// Caught by: TestManyAtTheSameTime
// Message: data race

//go:build wrong

package mutation

func (d *Detector[T]) Received(object T, by string) {
	if r, ok := d.watched[object]; ok {
		r.receivedBy[by] = true
	}
}

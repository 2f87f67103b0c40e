// Misconception: who only notes something needs no lock.
// Caught by: TestManyAtTheSameTime
// Message: data race

//go:build wrong

package mutation

func (d *Detector[T]) Received(object T, by string) {
	if r := d.watched[object]; r != nil {
		r.receivedBy[by] = true
	}
}

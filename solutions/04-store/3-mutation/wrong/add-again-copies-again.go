// Misconception: an Add says what the object should be.
// Caught by: TestAddAgain
// Message: the belief that an Add says what the object should be

//go:build wrong

package mutation

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.watched[object]; ok {
		r.was = object.DeepCopy()
		return
	}
	d.added++
	d.watched[object] = &record[T]{nth: d.added, was: object.DeepCopy(), receivedBy: map[string]bool{}}
}

// Misconception: what was true while the lock was held is still true when it is taken again.
// Caught by: TestAddedByManyAtTheSameTime
// Message: four goroutines each call Add and Received

//go:build wrong

package mutation

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	_, ok := d.watched[object]
	d.mu.Unlock()
	if ok {
		return
	}
	was := object.DeepCopy()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.added++
	d.watched[object] = &record[T]{nth: d.added, was: was, receivedBy: map[string]bool{}}
}

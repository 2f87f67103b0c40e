// Misconception: to keep the pointer is to keep what it led to.
// Caught by: TestEachLevel
// Message: it reported nothing after ResourceVersion = "8"

//go:build wrong

package mutation

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.watched[object]; ok {
		return
	}
	d.added++
	d.watched[object] = &record[T]{nth: d.added, was: object, receivedBy: map[string]bool{}}
}

// Breaks: An Add of an object that is watched already changes nothing, also after somebody wrote to it.
// Caught by: TestAddAgain
// Message: it reported soup@7, received by nobody

//go:build wrong

package mutation

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.watched[object]; ok {
		clear(r.receivedBy)
		return
	}
	d.added++
	d.watched[object] = &record[T]{nth: d.added, was: object.DeepCopy(), receivedBy: map[string]bool{}}
}

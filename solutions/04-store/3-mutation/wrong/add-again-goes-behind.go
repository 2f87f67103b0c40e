// Breaks: An Add of an object that is watched already changes nothing, also after somebody wrote to it.
// Caught by: TestAddAgain
// Message: it reported bread@7, received by nobody; soup@7, received by nobody

//go:build wrong

package mutation

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.added++
	if r, ok := d.watched[object]; ok {
		r.nth = d.added
		return
	}
	d.watched[object] = &record[T]{nth: d.added, was: object.DeepCopy(), receivedBy: map[string]bool{}}
}

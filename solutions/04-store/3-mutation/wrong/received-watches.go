// Breaks: Of an object that is not watched, nothing is noted: it is not watched because of that, and a later Add
// begins without call sites.
// Caught by: TestNotWatched
// Message: it reported soup@7, received by list

//go:build wrong

package mutation

func (d *Detector[T]) Received(object T, by string) {
	d.Add(object)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watched[object].receivedBy[by] = true
}

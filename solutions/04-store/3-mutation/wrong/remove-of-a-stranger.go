// Breaks: A Remove of an object that is not watched changes nothing.
// Caught by: TestNotWatched
// Message: invalid memory address or nil pointer dereference

//go:build wrong

package mutation

func (d *Detector[T]) Remove(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watched[object].receivedBy = nil // nobody is to be suspected any more
	delete(d.watched, object)
}

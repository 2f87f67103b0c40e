// Breaks: Each object has call sites of its own.
// Caught by: TestReceivedBy
// Message: it reported soup@7

//go:build wrong

package mutation

func (d *Detector[T]) Received(object T, by string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.watched[object]; !ok {
		return
	}
	for _, r := range d.watched {
		r.receivedBy[by] = true
	}
}

// Misconception: the last one who received the object is the one who wrote.
// Caught by: TestReceivedBy
// Message: the belief that the last one who received an object is the one who wrote

//go:build wrong

package mutation

func (d *Detector[T]) Received(object T, by string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.watched[object]; ok {
		r.receivedBy = map[string]bool{by: true}
	}
}

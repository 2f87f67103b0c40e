// Breaks: Stop may be called again, and then does nothing.
// Caught by: TestAfterStop
// Message: it panicked: close of closed channel

//go:build wrong

package delays

func (d *Delays[T]) Stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopped, d.line = true, nil
	close(d.changed)
}

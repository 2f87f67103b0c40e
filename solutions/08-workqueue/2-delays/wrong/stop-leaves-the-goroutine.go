// Breaks: When no add runs any more, no goroutine is left behind.
// Caught by: TestInItsMoment
// Message: the belief that a goroutine ends when nobody needs it any more.

//go:build wrong

package delays

func (d *Delays[T]) Stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopped, d.line = true, nil
}

// Breaks: When Stop has returned, add is not called any more, also not with items that were held up.
// Caught by: TestStopWhileAnAddRuns
// Message: all in all it was called with A at 1s, B at 1s

//go:build wrong

package delays

func (d *Delays[T]) Stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.stopped {
		d.stopped = true // wrong: what is due stays in the line, and run looks there once more
		close(d.changed)
	}
}

// Misconception: a handler has synced when the Hub has.
// Caught by: TestHasSynced
// Message: the belief that a handler has synced when its informer has.

//go:build wrong

package late

func (r *Registration) HasSynced() bool {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	return r.hub.synced
}

// Misconception: a handler that is not in the list any more is gone.
// Caught by: TestTellsWhatHappens
// Message: the belief that a handler which is not in the list any more is gone

//go:build wrong

package late

func (r *Registration) Leave() {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	delete(r.hub.joined, r)
	r.inbox.empty()
}

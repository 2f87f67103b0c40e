// Breaks: To leave again does nothing.
// Caught by: TestLeave
// Message: closed twice

//go:build wrong

package late

func (r *Registration) Leave() {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	delete(r.hub.joined, r)
	r.inbox.empty()
	r.inbox.close()
}

// Misconception: what waits in a queue is dropped when the queue is closed.
// Caught by: TestLeave
// Message: the belief that what was put into a queue before it is closed still counts.

//go:build wrong

package late

func (r *Registration) Leave() {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	if r.hub.joined[r] {
		delete(r.hub.joined, r)
		r.inbox.close()
	}
}

// Misconception: Leave returns when the handler has.
// Caught by: TestNobodyWaitsForAHandler
// Message: the belief that who leaves has to wait until the handler has returned.

//go:build wrong

package late

func (r *Registration) Leave() {
	r.hub.mu.Lock()
	joined := r.hub.joined[r]
	delete(r.hub.joined, r)
	r.hub.mu.Unlock()
	if !joined {
		return
	}
	r.inbox.empty()
	ended := make(chan bool)
	r.inbox.put(func() { close(ended) })
	r.inbox.close()
	<-ended
}

// Breaks: each Registration is one of its own, and leaves alone.
// Caught by: TestTheSameHandlerAgain
// Message: they were told [5 10 11 12]

//go:build wrong

package late

import "reflect"

func (r *Registration) Leave() {
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	for other := range r.hub.joined {
		if reflect.TypeOf(r.handler).Comparable() && other.handler == r.handler {
			delete(r.hub.joined, other)
			other.inbox.empty()
			other.inbox.close()
		}
	}
	if r.hub.joined[r] {
		delete(r.hub.joined, r)
		r.inbox.empty()
		r.inbox.close()
	}
}

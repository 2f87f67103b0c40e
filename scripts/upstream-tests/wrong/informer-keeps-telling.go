// Wrong: What waits for a handler is told, also when the handler has been removed.
// Base: chapters/07-shared-informer/informer/registration.go
// Mechanism: informer
// Upstream: none
// Book: chapters/07-shared-informer/informer TestNothingWaitsForARemovedHandler

//go:build wrong

package informer

import "time"

func (r *Registration) run(out <-chan []Notification) {
	defer close(r.ended)
	defer r.waiting.Store(0)
	for batch := range out {
		for i := range batch {
			r.waiting.Add(-1)
			if panicked := r.call(&batch[i]); panicked {
				r.clock.Sleep(time.Second)
			}
			batch[i] = Notification{}
		}
	}
}

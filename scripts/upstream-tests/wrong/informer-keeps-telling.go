// Wrong: What waits for a handler is told, also when it has been removed.
// Base: chapters/07-shared-informer/informer/registration.go
// Mechanism: informer
// Upstream: none
// Book: chapters/07-shared-informer/informer TestSuite

//go:build wrong

package informer

func (r *Registration) run(out <-chan []Notification) {
	defer close(r.ended)
	for batch := range out {
		for i := range batch {
			r.waiting.Add(-1)
			r.call(&batch[i])
		}
	}
}

// Wrong: A handler that joins while the informer runs hears nothing of what is there.
// Base: chapters/07-shared-informer/informer/handlers.go
// Mechanism: informer
// Upstream: TestAddWhileActive
// Book: chapters/07-shared-informer/informer TestSuite

//go:build wrong

package informer

func (s *SharedIndexInformer) join(r *Registration) {
	s.handlers.lock.Lock()
	defer s.handlers.lock.Unlock()
	s.handlers.join(r)
	if s.handlers.started && s.handlers.synced {
		r.initial.last()
	}
}

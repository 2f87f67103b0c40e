// Guideline: S2-04
// Misconception: A handler that joins has to be given what the server has now, and so it lists.
// Caught by: TestSuite/nothing of upstream's/guarantees/a handler that joins late hears of each object once, as of the
// initial list, and then of news alone
// Message: requests, where the server streams expected none happened some
// Base: handlers.go

//go:build wrong

package informer

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

func (s *SharedIndexInformer) join(r *Registration) {
	s.handlers.lock.Lock()
	defer s.handlers.lock.Unlock()
	s.handlers.join(r)
	if !s.handlers.started {
		return
	}
	list, err := s.source.List(metav1.ListOptions{}) // one more, for each handler
	if err == nil {
		_ = meta.EachListItem(list, func(object runtime.Object) error {
			r.add(add(object, true))
			return nil
		})
	}
	if s.handlers.synced {
		r.initial.last()
	}
}

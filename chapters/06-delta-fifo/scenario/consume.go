package scenario

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// Process is what Pop calls: it writes to the store, and then tells the handler.
func (s *Side) Process(popped any, isInInitialList bool) error {
	return s.ProcessBatch(popped.(cache.Deltas), isInInitialList)
}

// ProcessBatch is what PopBatch calls.
func (s *Side) ProcessBatch(popped []cache.Delta, _ bool) error {
	for _, d := range popped {
		if err := s.apply(d); err != nil {
			return err
		}
	}
	return nil
}

// apply is what an informer does with one delta. Upstream: processDeltas in controller.go.
func (s *Side) apply(d cache.Delta) error {
	switch d.Type {
	case cache.ReplacedAll:
		return s.replace(d.Object.(cache.ReplacedAllInfo))
	case cache.SyncAll:
		for _, object := range sorted(s.Store.List()) {
			s.tell("OnUpdate", object)
		}
		return nil
	case cache.Deleted:
		err := s.Store.Delete(d.Object)
		s.tell("OnDelete", d.Object)
		return err
	}
	_, known, err := s.Store.Get(d.Object)
	if err != nil {
		return err
	}
	err = s.Store.Update(d.Object)
	s.tell(addOrUpdate(known), d.Object)
	return err
}

// replace finds what is gone by comparing the list with the store: the queue did not.
func (s *Side) replace(list cache.ReplacedAllInfo) error {
	known, gone := map[string]bool{}, map[string]*corev1.ConfigMap{}
	for _, object := range s.Store.List() {
		known[Name(object)], gone[Name(object)] = true, object.(*corev1.ConfigMap)
	}
	for _, object := range list.Objects {
		delete(gone, Name(object))
	}
	err := s.Store.Replace(list.Objects, list.ResourceVersion)
	for _, object := range gone {
		s.tell("OnDelete", cache.DeletedFinalStateUnknown{Key: cache.MetaObjectToName(object).String(), Obj: object})
	}
	for _, object := range list.Objects {
		s.tell(addOrUpdate(known[Name(object)]), object)
	}
	return err
}

func addOrUpdate(known bool) string {
	if known {
		return "OnUpdate"
	}
	return "OnAdd"
}

// tell is the handler.
func (s *Side) tell(call string, object any) {
	what := Name(object)
	if _, isTombstone := object.(cache.DeletedFinalStateUnknown); isTombstone {
		what = "tombstone of " + what
	}
	s.Told = append(s.Told, fmt.Sprintf("%s(%s)", call, what))
}

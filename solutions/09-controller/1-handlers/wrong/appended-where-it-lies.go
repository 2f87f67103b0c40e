// Breaks: It changes no object, and nothing that Relations return: others get the same ones, at the same time.
// Caught by: TestWhatRelationsReturnIsNotChanged
// Message: also behind its end

//go:build wrong

package handlers

import "k8s.io/client-go/tools/cache"

func (h handler) deleted(object any) {
	tombstone, ok := object.(cache.DeletedFinalStateUnknown)
	if !ok {
		h.concerned(object)
		return
	}
	namespace, name, err := cache.SplitMetaNamespaceKey(tombstone.Key)
	switch {
	case err != nil:
	case namespace == "":
		h.namespace(name)
	default:
		for _, one := range append(h.relations.Namespaces(name), namespace) {
			h.add(Key{Namespace: one, Name: name})
		}
	}
}

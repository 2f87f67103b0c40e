// Breaks: It changes no object, and nothing that Relations return: others get the same ones, at the same time.
// Caught by: TestWhatRelationsReturnIsNotChanged
// Message: what Relations returned is as it was

//go:build wrong

package handlers

import "slices"

func (h handler) source(name string) {
	namespaces := h.relations.Namespaces(name)
	slices.Sort(namespaces)
	for _, namespace := range namespaces {
		h.add(Key{Namespace: namespace, Name: name})
	}
}

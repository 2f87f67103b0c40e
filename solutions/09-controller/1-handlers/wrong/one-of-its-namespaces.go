// Breaks: A source concerns the place of its name in each of Namespaces of its name.
// Caught by: TestWhatAnObjectConcerns
// Message: it added south/menu

//go:build wrong

package handlers

func (h handler) source(name string) {
	for _, namespace := range h.relations.Namespaces(name) {
		h.add(Key{Namespace: namespace, Name: name})
		break
	}
}

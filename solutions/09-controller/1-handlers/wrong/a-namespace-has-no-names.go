// Breaks: A namespace, a *corev1.Namespace, concerns the place of each of Names in it.
// Caught by: TestWhatAnObjectConcerns
// Message: add namespace north: it adds north/menu, north/rules

//go:build wrong

package handlers

func (h handler) namespace(namespace string) {
	if names := h.relations.Names(namespace); len(names) > 0 {
		h.add(Key{Namespace: namespace, Name: names[0]})
	}
}

// Guideline: S2-02
// Misconception: A namespace is made before anything is put into it, so it is told before the sources are.
// Caught by: TestSuite/client-go/it does not matter who is told first: the namespaces late
// Message: has no mirror of a/menu
// Base: handlers.go

//go:build wrong

package mirror

import corev1 "k8s.io/api/core/v1"

func (c concerns) object(object any) {
	switch object := object.(type) {
	case *corev1.ConfigMap:
		c.add(keyOf(object))
		if roleOf(object) == Source {
			c.source(object.Name) // wrong: this asks for all namespaces once, and nobody asks again
		}
	}
}

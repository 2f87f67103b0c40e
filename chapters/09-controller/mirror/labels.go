package mirror

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// What takes part is labelled, so that the API server picks it out, and the rest never reaches a cache.
const (
	// Group is the label of all that one controller sees: of sources, of mirrors, and of the namespaces that ask for
	// mirrors. Its value is the controller's group.
	Group = "mirror.scratch.example.com/group"
	// Role is the label that says what a ConfigMap is: a Source, a Mirror, or neither.
	Role = "mirror.scratch.example.com/role"
	// Source is the role of a ConfigMap that is to be mirrored.
	Source = "source"
	// Mirror is the role of a ConfigMap that the controller has made, and may change and delete.
	Mirror = "mirror"
	// Of is the annotation of a mirror that names its source: namespace/name.
	Of = "mirror.scratch.example.com/of"
)

// Key names a place: a namespace, and the name of the mirror that stands there or should.
type Key = cache.ObjectName

// Reader is what a run sees of the world. Objects are shared with all who read: nobody changes them.
type Reader interface {
	// Asks says whether the namespace is there, asks for mirrors, and is not being deleted.
	Asks(namespace string) bool
	// Sources are those of the name, in any namespace and in no order.
	Sources(name string) []*corev1.ConfigMap
	// Get returns what stands in a place, if it is in the group.
	Get(Key) (*corev1.ConfigMap, bool)
}

// Writer is what a run writes with. Its errors are the API server's: [k8s.io/apimachinery/pkg/api/errors] knows them.
type Writer interface {
	Create(context.Context, *corev1.ConfigMap) error
	// Update is refused with a conflict if the object has another resourceVersion by now.
	Update(context.Context, *corev1.ConfigMap) error
	// Delete is refused with a conflict if what stands there does not meet the preconditions.
	Delete(context.Context, Key, metav1.Preconditions) error
}

func roleOf(object *corev1.ConfigMap) string { return object.Labels[Role] }

// keyOf is the place where an object stands.
func keyOf(object *corev1.ConfigMap) Key { return cache.NewObjectName(object.Namespace, object.Name) }

// Package reconcile is what a controller does with one key from its queue.
package reconcile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// A Key is a place.
type Key = cache.ObjectName

// The labels and annotations of what takes part.
const (
	Group  = "mirror.scratch.example.com/group"
	Role   = "mirror.scratch.example.com/role"
	Source = "source"
	Mirror = "mirror"
	Of     = "mirror.scratch.example.com/of"
)

// A Reader reads the caches of two informers.
type Reader interface {
	Asks(namespace string) bool
	Sources(name string) []*corev1.ConfigMap
	Get(key Key) (*corev1.ConfigMap, bool)
}

// A Writer writes to the API server.
type Writer interface {
	Create(ctx context.Context, configMap *corev1.ConfigMap) error
	Update(ctx context.Context, configMap *corev1.ConfigMap) error
	Delete(ctx context.Context, key Key, preconditions metav1.Preconditions) error
}

// Reconcile makes the object that should stand there out of the one that does, and compares the two as a whole.
func Reconcile(ctx context.Context, key Key, reader Reader, writer Writer) error {
	sources := reader.Sources(key.Name)
	slices.SortFunc(sources, func(a, b *corev1.ConfigMap) int { return strings.Compare(a.Namespace, b.Namespace) })
	there, found := reader.Get(key)
	wanted := len(sources) > 0 && reader.Asks(key.Namespace) && (!found || there.Labels[Role] != Source)
	if found && there.Labels[Role] != Mirror {
		if !wanted {
			return nil
		}
		return fmt.Errorf("name %q of namespace %q is taken", key.Name, key.Namespace)
	}
	if found && !there.DeletionTimestamp.IsZero() || !found && !wanted {
		return nil
	}
	if !wanted {
		return remove(ctx, there, writer)
	}
	if !found {
		// A label of its own, which every mirror gets when it is created, and none has to keep.
		first := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"made-by": "reconcile"}}}
		first.Namespace, first.Name = key.Namespace, key.Name
		return wrapped("create", writer.Create(ctx, right(first, sources[0])))
	}
	should := right(there, sources[0])
	if equality.Semantic.DeepEqual(should, there) {
		return nil
	}
	data := []any{should.Data, should.BinaryData}
	if there.Immutable != nil && *there.Immutable &&
		!equality.Semantic.DeepEqual(data, []any{there.Data, there.BinaryData}) {
		return remove(ctx, there, writer)
	}
	return wrapped("update", writer.Update(ctx, should))
}

// right is a copy of a mirror, and is right.
func right(mirror, source *corev1.ConfigMap) *corev1.ConfigMap {
	m, s := mirror.DeepCopy(), source.DeepCopy()
	metav1.SetMetaDataLabel(&m.ObjectMeta, Group, s.Labels[Group])
	metav1.SetMetaDataLabel(&m.ObjectMeta, Role, Mirror)
	metav1.SetMetaDataAnnotation(&m.ObjectMeta, Of, cache.MetaObjectToName(s).String())
	m.Data, m.BinaryData = s.Data, s.BinaryData
	return m
}

// remove points into the object of the cache, which nobody writes to.
func remove(ctx context.Context, there *corev1.ConfigMap, writer Writer) error {
	read := metav1.Preconditions{UID: &there.UID, ResourceVersion: &there.ResourceVersion}
	err := writer.Delete(ctx, cache.MetaObjectToName(there), read)
	if apierrors.IsNotFound(err) {
		return nil
	}
	return wrapped("delete", err)
}

func wrapped(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

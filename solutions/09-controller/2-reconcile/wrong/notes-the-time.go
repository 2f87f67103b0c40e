// Misconception: a note on the object costs nothing.
// Caught by: TestComesToAnEnd
// Message: the belief that a note on the object costs nothing

//go:build wrong

package reconcile

import (
	"context"
	"reflect"
	"time"

	corev1 "k8s.io/api/core/v1"
)

const updatedAt = "mirror.scratch.example.com/updated-at"

func Reconcile(ctx context.Context, key Key, reader Reader, writer Writer) error {
	source := wanted(key, reader)
	there, found := reader.Get(key)
	switch {
	case !found && source == nil:
		return nil
	case !found:
		return writer.Create(ctx, corrected(mirrorOf(source, key), source))
	case there.Labels[Role] != Mirror:
		return notOurs(key, source)
	case there.DeletionTimestamp != nil:
		return nil
	case source == nil:
		return remove(ctx, key, there, writer)
	case reflect.DeepEqual(there, corrected(there, source)):
		return nil
	case there.Immutable != nil && *there.Immutable && !sameData(there, source):
		return remove(ctx, key, there, writer)
	}
	return writer.Update(ctx, corrected(there, source))
}

func corrected(mirror, source *corev1.ConfigMap) *corev1.ConfigMap {
	m, copied := mirror.DeepCopy(), source.DeepCopy()
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	m.Annotations[Of] = nameOf(source)
	m.Annotations[updatedAt] = time.Now().Format(time.RFC3339)
	m.Data, m.BinaryData = copied.Data, copied.BinaryData
	return m
}

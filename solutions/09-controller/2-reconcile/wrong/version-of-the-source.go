// Misconception: a mirror is right as long as its source has not changed.
// Caught by: TestEachCallLooksAgain
// Message: the belief that a mirror is right as long as its source has not changed

//go:build wrong

package reconcile

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const seen = "mirror.scratch.example.com/source-version"

func Reconcile(ctx context.Context, key Key, reader Reader, writer Writer) error {
	source := wanted(key, reader)
	there, found := reader.Get(key)
	switch {
	case !found && source == nil:
		return nil
	case !found:
		return writer.Create(ctx, mirrorOf(source, key))
	case there.Labels[Role] != Mirror:
		return notOurs(key, source)
	case there.DeletionTimestamp != nil:
		return nil
	case source == nil:
		return remove(ctx, key, there, writer)
	case there.Annotations[seen] == source.ResourceVersion && there.Annotations[Of] == nameOf(source):
		return nil // wrong: somebody may have written to the mirror
	case sameData(there, source) && there.Annotations[Of] == nameOf(source):
		return nil
	case there.Immutable != nil && *there.Immutable && !sameData(there, source):
		return remove(ctx, key, there, writer)
	}
	return writer.Update(ctx, corrected(there, source))
}

func mirrorOf(source *corev1.ConfigMap, key Key) *corev1.ConfigMap {
	copied := source.DeepCopy()
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:   key.Namespace,
			Name:        key.Name,
			Labels:      map[string]string{Group: source.Labels[Group], Role: Mirror},
			Annotations: map[string]string{Of: nameOf(source), seen: source.ResourceVersion},
		},
		Data:       copied.Data,
		BinaryData: copied.BinaryData,
	}
}

func corrected(mirror, source *corev1.ConfigMap) *corev1.ConfigMap {
	m, copied := mirror.DeepCopy(), source.DeepCopy()
	if m.Annotations == nil {
		m.Annotations = map[string]string{}
	}
	m.Annotations[Of] = nameOf(source)
	m.Annotations[seen] = source.ResourceVersion
	m.Data, m.BinaryData = copied.Data, copied.BinaryData
	return m
}

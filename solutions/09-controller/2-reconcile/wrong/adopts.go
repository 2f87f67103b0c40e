// Breaks: What stands there and is no mirror is not ours, and is let alone.
// Caught by: TestNotOurs
// Message: Happened: Update mirror web/colors of=base/colors red=1
// Removes: notOurs

//go:build wrong

package reconcile

import (
	"context"

	corev1 "k8s.io/api/core/v1"
)

func Reconcile(ctx context.Context, key Key, reader Reader, writer Writer) error {
	source := wanted(key, reader)
	there, found := reader.Get(key)
	switch {
	case !found && source == nil:
		return nil
	case !found:
		return writer.Create(ctx, mirrorOf(source, key))
	case there.Labels[Role] != Mirror && source == nil:
		return nil
	case there.DeletionTimestamp != nil:
		return nil
	case source == nil:
		return remove(ctx, key, there, writer)
	case sameData(there, source) && there.Annotations[Of] == nameOf(source):
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
	m.Labels[Role] = Mirror
	m.Data, m.BinaryData = copied.Data, copied.BinaryData
	return m
}

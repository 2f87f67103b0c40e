// Misconception: what is not found has left its place, and the new one can be made at once.
// Caught by: TestErrorsOfTheWriter
// Message: the belief that NotFound says that the place is free.

//go:build wrong

package reconcile

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func remove(ctx context.Context, key Key, mirror *corev1.ConfigMap, writer Writer) error {
	uid, version := mirror.UID, mirror.ResourceVersion
	return writer.Delete(ctx, key, metav1.Preconditions{UID: &uid, ResourceVersion: &version})
}

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
		if err := remove(ctx, key, there, writer); !apierrors.IsNotFound(err) {
			return err
		}
		return nil
	case sameData(there, source) && there.Annotations[Of] == nameOf(source):
		return nil
	case there.Immutable != nil && *there.Immutable && !sameData(there, source):
		if err := remove(ctx, key, there, writer); !apierrors.IsNotFound(err) {
			return err
		}
		return writer.Create(ctx, mirrorOf(source, key))
	}
	return writer.Update(ctx, corrected(there, source))
}

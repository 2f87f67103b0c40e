// Misconception: what the caches do not show can be written to all the same.
// Caught by: TestOneWrite
// Message: the belief that what the caches do not show can be written to all the same

//go:build wrong

package reconcile

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

func Reconcile(ctx context.Context, key Key, reader Reader, writer Writer) error {
	source := wanted(key, reader)
	there, found := reader.Get(key)
	switch {
	case !found && source == nil:
		return nil
	case !found:
		err := writer.Create(ctx, mirrorOf(source, key))
		if apierrors.IsAlreadyExists(err) {
			if writer.Update(ctx, mirrorOf(source, key)) == nil {
				return nil
			}
		}
		return err
	case there.Labels[Role] != Mirror:
		return notOurs(key, source)
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

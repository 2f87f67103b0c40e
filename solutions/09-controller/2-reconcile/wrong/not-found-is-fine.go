// Breaks: But NotFound is no error of a deletion: Reconcile returns nil, and a later call does what is still to do.
// Caught by: TestErrorsOfTheWriter
// Message: the Writer returns NotFound from Update

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
		return writer.Create(ctx, mirrorOf(source, key))
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
	if err := writer.Update(ctx, corrected(there, source)); !apierrors.IsNotFound(err) {
		return err
	}
	return nil
}

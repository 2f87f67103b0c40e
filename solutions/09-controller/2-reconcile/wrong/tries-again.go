// Misconception: a conflict is over when one tries again.
// Caught by: TestOneWrite
// Message: the belief that a conflict is over when one tries again

//go:build wrong

package reconcile

import (
	"context"
	"time"

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
	err := writer.Update(ctx, corrected(there, source))
	for n := 0; n < 4 && apierrors.IsConflict(err); n++ {
		time.Sleep(10 * time.Millisecond)
		err = writer.Update(ctx, corrected(there, source))
	}
	return err
}

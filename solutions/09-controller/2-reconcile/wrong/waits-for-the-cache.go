// Misconception: a call has to see its own write.
// Caught by: TestWaitsForNothing
// Message: the belief that a call has to see its own write

//go:build wrong

package reconcile

import (
	"context"
	"time"
)

func Reconcile(ctx context.Context, key Key, reader Reader, writer Writer) error {
	source := wanted(key, reader)
	there, found := reader.Get(key)
	switch {
	case !found && source == nil:
		return nil
	case !found:
		err := writer.Create(ctx, mirrorOf(source, key))
		for n := 0; n < 50 && err == nil && !found; n++ {
			time.Sleep(100 * time.Millisecond)
			_, found = reader.Get(key)
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

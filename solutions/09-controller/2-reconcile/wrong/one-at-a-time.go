// Breaks: Calls for several places run at once, and none waits for another.
// Caught by: TestCallsAtOnce
// Message: it returned when the others had returned

//go:build wrong

package reconcile

import (
	"context"
	"sync"
)

var mu sync.Mutex

func Reconcile(ctx context.Context, key Key, reader Reader, writer Writer) error {
	mu.Lock()
	defer mu.Unlock()
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
	return writer.Update(ctx, corrected(there, source))
}

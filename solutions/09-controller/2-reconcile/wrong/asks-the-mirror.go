// Breaks: A mirror that is wrong is updated: what is wrong is made right.
// Caught by: TestUpdates
// Message: Happened: no write, and an error

//go:build wrong

package reconcile

import (
	"context"
	"fmt"
	"strings"
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
	case len(strings.Split(there.Annotations[Of], "/")) != 2 && source != nil:
		return fmt.Errorf("%s does not say whose mirror it is", key)
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

// Misconception: an error is known by its text.
// Caught by: TestErrorsOfTheWriter
// Message: the belief that an error is known by its text

//go:build wrong

package reconcile

import (
	"context"
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
	if err != nil && strings.Contains(err.Error(), "please apply your changes to the latest version") {
		return nil
	}
	return err
}

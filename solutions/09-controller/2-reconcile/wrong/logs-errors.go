// Misconception: the caller need not know of an error.
// Caught by: TestErrorsOfTheWriter
// Message: the belief that the caller need not know of an error

//go:build wrong

package reconcile

import (
	"context"
	"log"
)

func reconcile(ctx context.Context, key Key, reader Reader, writer Writer) error {
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

func Reconcile(ctx context.Context, key Key, reader Reader, writer Writer) error {
	there, found := reader.Get(key)
	if found && there.Labels[Role] != Mirror {
		return notOurs(key, wanted(key, reader))
	}
	if err := reconcile(ctx, key, reader, writer); err != nil {
		log.Printf("reconcile %s: %v", key, err)
	}
	return nil
}

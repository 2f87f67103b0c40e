// Breaks: A mirror is deleted where none should stand.
// Caught by: TestDeletes
// Message: Happened: no write

//go:build wrong

package reconcile

import "context"

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
	case source == nil && reader.Asks(key.Namespace):
		return remove(ctx, key, there, writer)
	case source == nil:
		return nil
	case sameData(there, source) && there.Annotations[Of] == nameOf(source):
		return nil
	case there.Immutable != nil && *there.Immutable && !sameData(there, source):
		return remove(ctx, key, there, writer)
	}
	return writer.Update(ctx, corrected(there, source))
}

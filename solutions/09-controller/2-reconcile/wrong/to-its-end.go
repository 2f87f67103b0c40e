// Breaks: The Writer gets ctx, or one that is made from it and ends when it does.
// Caught by: TestContext
// Message: it did not end

//go:build wrong

package reconcile

import "context"

func Reconcile(ctx context.Context, key Key, reader Reader, writer Writer) error {
	ctx = context.WithoutCancel(ctx) // a write that has begun comes to its end
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

// Misconception: an Update changes what it is given.
// Caught by: TestAnUpdateKeepsAllElse
// Message: the belief that an Update changes what it is given
// Removes: corrected

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
	case source == nil:
		return remove(ctx, key, there, writer)
	case sameData(there, source) && there.Annotations[Of] == nameOf(source):
		return nil
	case there.Immutable != nil && *there.Immutable && !sameData(there, source):
		return remove(ctx, key, there, writer)
	}
	should := mirrorOf(source, key)
	should.ResourceVersion = there.ResourceVersion
	should.Immutable = there.Immutable
	return writer.Update(ctx, should)
}

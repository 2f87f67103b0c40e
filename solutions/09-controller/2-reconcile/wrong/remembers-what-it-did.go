// Misconception: what was done once is done.
// Caught by: TestEachCallLooksAgain
// Message: the belief that what was done once is done

//go:build wrong

package reconcile

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

var (
	mu      sync.Mutex
	created = map[Key]string{} // what each mirror was made of
)

func Reconcile(ctx context.Context, key Key, reader Reader, writer Writer) error {
	source := wanted(key, reader)
	there, found := reader.Get(key)
	switch {
	case !found && source == nil:
		return nil
	case !found:
		return once(ctx, mirrorOf(source, key), writer)
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

func once(ctx context.Context, mirror *corev1.ConfigMap, writer Writer) error {
	mu.Lock()
	defer mu.Unlock()
	key, content := cache.MetaObjectToName(mirror), fmt.Sprint(mirror.Annotations, mirror.Data, mirror.BinaryData)
	if created[key] == content {
		return nil // wrong: somebody may have deleted it since
	}
	err := writer.Create(ctx, mirror)
	if err == nil {
		created[key] = content
	}
	return err
}

package managed

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// byName is the index of ConfigMaps by name, whatever their namespace. The cache has one by namespace already.
const byName = "metadata.name"

// indexed are sources that begin when there is an index.
//
// It is usual to ask for an index before the manager begins. Then the informer is made with it, and Start waits for
// that informer before it starts anything else: without a limit, and without heeding that it is told to end. What a
// source asks for in its own Start belongs to its controller, which waits as long as CacheSyncTimeout says, and as long
// as its context.
type indexed struct {
	index func(context.Context) error
	kinds []source.SyncingSource
}

// watched are the ConfigMaps and the Namespaces, of which the same handler is told.
func watched(m manager.Manager) source.SyncingSource {
	concerned := handler.EnqueueRequestsFromMapFunc(places(m.GetCache()))
	return indexed{
		index: func(ctx context.Context) error {
			return m.GetFieldIndexer().IndexField(ctx, &corev1.ConfigMap{}, byName,
				func(o client.Object) []string { return []string{o.GetName()} })
		},
		kinds: []source.SyncingSource{
			source.Kind(m.GetCache(), client.Object(&corev1.ConfigMap{}), concerned),
			source.Kind(m.GetCache(), client.Object(&corev1.Namespace{}), concerned),
		},
	}
}

// Start implements source.Source. It returns when the kinds have begun to ask for their informers.
func (s indexed) Start(ctx context.Context, queue Queue) error {
	if err := s.index(ctx); err != nil {
		return fmt.Errorf("indexing ConfigMaps by name: %w", err)
	}
	for _, kind := range s.kinds {
		if err := kind.Start(ctx, queue); err != nil {
			return err
		}
	}
	return nil
}

// WaitForSync implements source.SyncingSource: no worker begins before both kinds are known.
func (s indexed) WaitForSync(ctx context.Context) error {
	for _, kind := range s.kinds {
		if err := kind.WaitForSync(ctx); err != nil {
			return err
		}
	}
	return nil
}

// String is what the log says of it.
func (s indexed) String() string { return fmt.Sprint(s.kinds) }

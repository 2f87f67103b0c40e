package opened

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// NewCache is for manager.Options.NewCache: it makes a cache as inner does, or cache.New if that is nil, and records
// when the manager starts it, how its waiting for it ends, and who asks it for an informer.
func (r *Record) NewCache(inner cache.NewCacheFunc) cache.NewCacheFunc {
	if inner == nil {
		inner = cache.New
	}
	return func(config *rest.Config, options cache.Options) (cache.Cache, error) {
		c, err := inner(config, options)
		if err != nil {
			return nil, err
		}
		return openCache{c, r}, nil
	}
}

type openCache struct {
	cache.Cache
	record *Record
}

func (c openCache) note(what, item string) {
	c.record.Note(Event{Part: Caches, Name: "the cache", What: what, Item: item})
}

func (c openCache) Start(ctx context.Context) error {
	c.note("starts", "")
	defer c.note("has stopped", "")
	return c.Cache.Start(ctx)
}

func (c openCache) WaitForCacheSync(ctx context.Context) bool {
	synced := c.Cache.WaitForCacheSync(ctx)
	if synced {
		c.note("has synced", "")
	} else {
		c.note("has not synced", "")
	}
	return synced
}

func (c openCache) GetInformer(ctx context.Context, o client.Object,
	options ...cache.InformerGetOption) (cache.Informer, error) {
	c.note("is asked for an informer of", kindOf(o))
	return c.Cache.GetInformer(ctx, o, options...)
}

// NewInformer is for cache.Options.NewInformer: it makes an informer as inner does, or client-go's
// cache.NewSharedIndexInformer if that is nil, and records when the cache makes it, runs it, and adds handlers to it.
func (r *Record) NewInformer(inner func(toolscache.ListerWatcher, runtime.Object, time.Duration,
	toolscache.Indexers) toolscache.SharedIndexInformer) func(toolscache.ListerWatcher, runtime.Object, time.Duration,
	toolscache.Indexers) toolscache.SharedIndexInformer {
	if inner == nil {
		inner = toolscache.NewSharedIndexInformer
	}
	return func(from toolscache.ListerWatcher, example runtime.Object, resync time.Duration,
		indexers toolscache.Indexers) toolscache.SharedIndexInformer {
		i := openInformer{inner(from, example, resync, indexers), r, kindOf(example)}
		i.note("is made")
		return i
	}
}

// kindOf names what an informer is of, as upstream tells informers apart: "*v1.ConfigMap", "*unstructured.Unstructured
// of ConfigMap".
func kindOf(example runtime.Object) string {
	name := fmt.Sprintf("%T", example)
	if kind := example.GetObjectKind().GroupVersionKind().Kind; kind != "" {
		name += " of " + kind
	}
	return name
}

type openInformer struct {
	toolscache.SharedIndexInformer
	record *Record
	name   string
}

func (i openInformer) note(what string) {
	i.record.Note(Event{Part: Informers, Name: i.name, What: what})
}

func (i openInformer) RunWithContext(ctx context.Context) {
	i.note("runs")
	defer i.note("has stopped")
	i.SharedIndexInformer.RunWithContext(ctx)
}

func (i openInformer) AddEventHandler(h toolscache.ResourceEventHandler) (toolscache.ResourceEventHandlerRegistration,
	error) {
	i.note("gets a handler")
	return i.SharedIndexInformer.AddEventHandler(h)
}

func (i openInformer) AddEventHandlerWithOptions(h toolscache.ResourceEventHandler,
	o toolscache.HandlerOptions) (toolscache.ResourceEventHandlerRegistration, error) {
	i.note("gets a handler")
	return i.SharedIndexInformer.AddEventHandlerWithOptions(h, o)
}

func (i openInformer) AddIndexers(indexers toolscache.Indexers) error {
	for name := range indexers {
		i.note("gets the index " + name)
	}
	return i.SharedIndexInformer.AddIndexers(indexers)
}

package informer

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

// SharedIndexInformer is
type SharedIndexInformer struct{ cache.SharedIndexInformer }

// New is
func New(lw cache.ListerWatcher, example runtime.Object, options Options) *SharedIndexInformer {
	return &SharedIndexInformer{cache.NewSharedIndexInformerWithOptions(lw, example, cache.SharedIndexInformerOptions{
		ResyncPeriod: options.ResyncPeriod, Indexers: options.Indexers, ObjectDescription: options.ObjectDescription})}
}

// NewSharedIndexInformer is
func NewSharedIndexInformer(lw cache.ListerWatcher, example runtime.Object, resync time.Duration,
	indexers cache.Indexers) cache.SharedIndexInformer {
	return New(lw, example, Options{ResyncPeriod: resync, Indexers: indexers})
}

// NewController is
func NewController(config *cache.Config) cache.Controller { return cache.New(config) }

package mutation

import (
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

var (
	_ cache.Indexer          = (*Guarded)(nil)
	_ cache.TransactionStore = (*Guarded)(nil)
)

// Guarded is a cache under watch. It does what its Indexer does, and tells the detector of each object that comes and
// of each that it hands out.
type Guarded struct {
	cache.Indexer
	detector *Detector
}

// Guard puts a cache under the detector's watch; of one detector, one cache. Use the Guarded in the cache's place, for
// reading and for writing.
func (d *Detector) Guard(indexer cache.Indexer) *Guarded {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.holds = func(object runtime.Object) bool {
		item, _, err := indexer.Get(object)
		return err == nil && item == any(object)
	}
	return &Guarded{Indexer: indexer, detector: d}
}

// Add adds an object, which is watched from then on.
func (g *Guarded) Add(object any) error {
	defer g.came(object)
	return g.Indexer.Add(object)
}

// Update updates an object, which is watched from then on.
func (g *Guarded) Update(object any) error {
	defer g.came(object)
	return g.Indexer.Update(object)
}

// Replace replaces the objects, which are watched from then on.
func (g *Guarded) Replace(list []any, resourceVersion string) error {
	defer func() { g.came(g.Indexer.List()...) }()
	return g.Indexer.Replace(list, resourceVersion)
}

// Transaction makes several changes, if the cache can.
func (g *Guarded) Transaction(transactions ...cache.Transaction) *cache.TransactionError {
	inner, ok := g.Indexer.(cache.TransactionStore)
	if !ok {
		return &cache.TransactionError{TotalTransactions: len(transactions),
			Errors: []error{errors.New("the guarded cache has no transactions")}}
	}
	defer func() {
		for _, t := range transactions {
			g.came(t.Object)
		}
	}()
	return inner.Transaction(transactions...)
}

// came has what the cache now holds under the objects' keys watched: that need not be what it was given. It is also
// called after a write that failed: the cache may then hold what was there before, or, as upstream's does when an index
// function fails and Add panics, the new object.
func (g *Guarded) came(objects ...any) {
	for _, object := range objects {
		if item, exists, err := g.Indexer.Get(object); err == nil && exists {
			g.detector.AddObject(item)
		}
	}
}

// Get returns an object, and remembers its caller.
func (g *Guarded) Get(object any) (item any, exists bool, err error) {
	item, exists, err = g.Indexer.Get(object)
	g.detector.Received(item)
	return item, exists, err
}

// GetByKey returns an object, and remembers its caller.
func (g *Guarded) GetByKey(key string) (item any, exists bool, err error) {
	item, exists, err = g.Indexer.GetByKey(key)
	g.detector.Received(item)
	return item, exists, err
}

// List returns all objects, and remembers its caller.
func (g *Guarded) List() []any {
	list := g.Indexer.List()
	g.detector.Received(list...)
	return list
}

// Index returns objects of an index, and remembers its caller.
func (g *Guarded) Index(indexName string, object any) ([]any, error) {
	list, err := g.Indexer.Index(indexName, object)
	g.detector.Received(list...)
	return list, err
}

// ByIndex returns objects of an index, and remembers its caller.
func (g *Guarded) ByIndex(indexName, value string) ([]any, error) {
	list, err := g.Indexer.ByIndex(indexName, value)
	g.detector.Received(list...)
	return list, err
}

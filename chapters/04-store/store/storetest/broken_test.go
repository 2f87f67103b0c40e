package storetest

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"k8s.io/client-go/tools/cache"
)

// whole is upstream's store. Each of the types below breaks one thing of it.
type whole struct {
	cache.Indexer
	cache.TransactionStore
}

func newWhole(keyFunc cache.KeyFunc, indexers cache.Indexers) whole {
	store := cache.NewIndexer(keyFunc, indexers)
	return whole{store, store.(cache.TransactionStore)}
}

// stale leaves a key under the values that its objects had before.
type stale struct {
	whole
	before cache.Indexer
}

func newStale(keyFunc cache.KeyFunc, indexers cache.Indexers) cache.Indexer {
	before := cache.NewIndexer(func(obj any) (string, error) { return describe(obj), nil }, maps.Clone(indexers))
	return stale{newWhole(keyFunc, indexers), before}
}

func (s stale) Update(obj any) error {
	err := s.whole.Update(obj)
	if err == nil {
		s.before.Add(obj)
	}
	return err
}

func (s stale) IndexKeys(name, value string) ([]string, error) {
	keys, err := s.whole.IndexKeys(name, value)
	before, _ := s.before.ByIndex(name, value)
	for _, obj := range before {
		key, _, _ := parts(obj)
		if _, exists, _ := s.GetByKey(key); exists {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys), err
}

// merging keeps what Replace does not list.
type merging struct{ whole }

func (m merging) Replace(list []any, version string) error {
	if err := hasKeys(m, list); err != nil {
		return err
	}
	for _, obj := range list {
		m.Add(obj)
	}
	m.Bookmark(version)
	return nil
}

// emptied is empty in the middle of a Replace.
type emptied struct{ whole }

func (e emptied) Replace(list []any, version string) error {
	if err := hasKeys(e, list); err != nil {
		return err
	}
	e.whole.Replace(nil, "")
	return e.whole.Replace(list, version)
}

func hasKeys(store cache.Indexer, list []any) error {
	for _, obj := range list {
		if _, _, err := store.Get(obj); err != nil {
			return err
		}
	}
	return nil
}

// quietDelete does not move the store to the version of what is deleted.
type quietDelete struct{ whole }

func (q quietDelete) Delete(obj any) error {
	before := q.LastStoreSyncResourceVersion()
	err := q.whole.Delete(obj)
	q.Bookmark(before)
	return err
}

// lateIndex does not look at what is there when an index is added.
type lateIndex struct{ whole }

func (l lateIndex) AddIndexers(indexers cache.Indexers) error {
	there, late := map[any]bool{}, cache.Indexers{}
	for _, obj := range l.List() {
		there[obj] = true
	}
	for name, values := range indexers {
		late[name] = func(obj any) ([]string, error) {
			if there[obj] {
				return nil, nil
			}
			return values(obj)
		}
	}
	return l.whole.AddIndexers(late)
}

// foundTwice lists an object once for each value that it shares.
type foundTwice struct{ whole }

func (f foundTwice) Index(name string, obj any) ([]any, error) {
	if _, err := f.whole.Index(name, obj); err != nil {
		return nil, err
	}
	values, err := indexFuncs[name](obj)
	var list []any
	for _, value := range values {
		some, _ := f.ByIndex(name, value)
		list = append(list, some...)
	}
	return list, err
}

// allOrNone refuses a transaction in which one object has no key.
type allOrNone struct{ whole }

func (a allOrNone) Transaction(steps ...cache.Transaction) *cache.TransactionError {
	for _, step := range steps {
		if err := hasKeys(a, []any{step.Object}); err != nil {
			return &cache.TransactionError{TotalTransactions: len(steps), Errors: []error{err}}
		}
	}
	return a.whole.Transaction(steps...)
}

// oneByOne makes a transaction's changes one after the other. To who asks when it is done, it did well.
type oneByOne struct{ whole }

func (o oneByOne) Transaction(steps ...cache.Transaction) *cache.TransactionError {
	made, errs := []int{}, []error(nil)
	for i, step := range steps {
		do := map[cache.TransactionType]func(any) error{cache.TransactionTypeAdd: o.Add,
			cache.TransactionTypeUpdate: o.Update, cache.TransactionTypeDelete: o.Delete}[step.Type]
		if err := do(step.Object); err != nil {
			errs = append(errs, err)
			continue
		}
		made = append(made, i)
	}
	if errs == nil {
		return nil
	}
	return &cache.TransactionError{SuccessfulIndices: made, TotalTransactions: len(steps), Errors: errs}
}

// keyByKey reads the index first, and then each object.
type keyByKey struct{ whole }

func (k keyByKey) ByIndex(name, value string) ([]any, error) {
	keys, err := k.IndexKeys(name, value)
	var list []any
	for _, key := range keys {
		obj, _, _ := k.GetByKey(key)
		list = append(list, obj)
	}
	return list, err
}

// ownSlice hands out the list that it keeps, for as long as the keys are these.
type ownSlice struct {
	whole
	lists *sync.Map
}

func (o ownSlice) ListKeys() []string {
	keys := o.whole.ListKeys()
	slices.Sort(keys)
	kept, _ := o.lists.LoadOrStore(strings.Join(keys, " "), keys)
	return kept.([]string)
}

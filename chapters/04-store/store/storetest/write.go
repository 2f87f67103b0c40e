package storetest

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/client-go/tools/cache"
	"pgregory.net/rapid"
)

// A write is one call of a method that writes. It can be made on several stores.
type write struct {
	name string
	do   func(store cache.Indexer) error
}

// GoString is how rapid tells which writes led to a failure.
func (w write) GoString() string { return w.name }

// write draws one.
func (s *scene) write(t *rapid.T) write {
	kinds := []string{"Add", "Update", "Delete", "Bookmark", "AddIndexers", "Replace", "Transaction"}
	kinds = slices.DeleteFunc(kinds, func(kind string) bool { return slices.Contains(s.without, kind) })
	switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); kind {
	case "Add":
		return writeOf(kind, s.object(t), cache.Indexer.Add)
	case "Update":
		return writeOf(kind, s.object(t), cache.Indexer.Update)
	case "Delete":
		return writeOf(kind, s.gone(t), cache.Indexer.Delete)
	case "Replace":
		return replacement(rapid.SliceOfN(rapid.Custom(s.object), 0, 6).Draw(t, "list"), s.version(t))
	case "Bookmark":
		version := s.version(t)
		return write{fmt.Sprintf("Bookmark %q", version), func(i cache.Indexer) error {
			i.Bookmark(version)
			return nil
		}}
	case "AddIndexers":
		return addition(rapid.SampledFrom([][]string{nil, {byCount}, {byCount, byTags}}).Draw(t, "indexers"))
	default:
		return transaction(rapid.SliceOfN(rapid.Custom(s.step), 0, 4).Draw(t, "steps"))
	}
}

func writeOf(name string, obj any, method func(cache.Indexer, any) error) write {
	return write{name + " " + describe(obj), func(i cache.Indexer) error { return method(i, obj) }}
}

func replacement(list []any, version string) write {
	return write{fmt.Sprintf("Replace %v at %q", labels(list), version), func(i cache.Indexer) error {
		return i.Replace(slices.Clone(list), version) // the store owns what it is given
	}}
}

func addition(names []string) write {
	return write{fmt.Sprint("AddIndexers ", names), func(i cache.Indexer) error {
		indexers := cache.Indexers{}
		for _, name := range names {
			indexers[name] = indexFuncs[name]
		}
		defer clear(indexers) // the map is the caller's
		return i.AddIndexers(indexers)
	}}
}

func transaction(steps []cache.Transaction) write {
	return write{fmt.Sprint("Transaction ", labels(steps)), func(i cache.Indexer) error {
		passed := slices.Clone(steps)
		defer clear(passed) // the slice, too
		if err := i.(cache.TransactionStore).Transaction(passed...); err != nil {
			return err
		}
		return nil // and no *TransactionError that is nil
	}}
}

func (s *scene) step(t *rapid.T) cache.Transaction {
	switch rapid.IntRange(0, 2).Draw(t, "type") {
	case 0:
		return cache.Transaction{Type: cache.TransactionTypeAdd, Object: s.object(t)}
	case 1:
		return cache.Transaction{Type: cache.TransactionTypeUpdate, Object: s.object(t)}
	}
	return cache.Transaction{Type: cache.TransactionTypeDelete, Object: s.gone(t)}
}

// version draws a resourceVersion, which may be empty. They are no sequence: a store keeps the last that it is given,
// and compares none.
func (s *scene) version(t *rapid.T) string {
	if rapid.IntRange(0, 9).Draw(t, "no version") == 9 {
		return ""
	}
	s.made++
	return fmt.Sprint(s.made * 37 % 1000)
}

// object draws an object to store; one of twenty has no key.
func (s *scene) object(t *rapid.T) any {
	if rapid.IntRange(0, 19).Draw(t, "no key") == 19 {
		return 42
	}
	return s.make(rapid.SampledFrom(keys).Draw(t, "key"), rapid.SampledFrom(tagSets).Draw(t, "tags"),
		s.version(t))
}

// gone draws what stands for an object that is to be deleted. It need not be in the store.
func (s *scene) gone(t *rapid.T) any {
	obj := s.object(t)
	switch key, _, _ := parts(obj); rapid.IntRange(0, 3).Draw(t, "gone") {
	case 0:
		return cache.DeletedFinalStateUnknown{Key: key, Obj: obj}
	case 1:
		return cache.ExplicitKey(key)
	}
	return obj
}

// outcome says what came of a call: as much as two stores have to agree on.
func outcome(err error) string {
	var ofKey cache.KeyError
	var ofTransaction *cache.TransactionError
	switch {
	case err == nil:
		return "no error"
	case errors.As(err, &ofTransaction):
		return fmt.Sprintf("a TransactionError: %v of %d succeed, %d errors", ofTransaction.SuccessfulIndices,
			ofTransaction.TotalTransactions, len(ofTransaction.Errors))
	case errors.As(err, &ofKey):
		return "a KeyError of " + describe(ofKey.Obj)
	}
	return "an error"
}

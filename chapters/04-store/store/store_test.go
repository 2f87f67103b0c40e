package store_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
)

// byColor is a store with one index.
func byColor(options ...store.Option) *store.Store {
	return store.New(cache.MetaNamespaceKeyFunc, cache.Indexers{"color": colorOf}, options...)
}

// TestMapsAndSlicesAreTheCallers writes to what was given to the store and to what it gave.
func TestMapsAndSlicesAreTheCallers(t *testing.T) {
	indexers := cache.Indexers{"color": colorOf}
	s := store.New(cache.MetaNamespaceKeyFunc, indexers)
	require.NoError(t, s.AddIndexers(cache.Indexers{"late": colorOf}))
	require.Len(t, indexers, 1, "the map that New was given")
	clear(indexers)

	list := []any{configMap("a", "red", "1"), configMap("b", "red", "2")}
	require.NoError(t, s.Replace(list, "2"))
	clear(list)
	clear(s.GetIndexers())
	clear(s.List())
	clear(s.ListKeys())
	clear(s.ListIndexFuncValues("color"))
	keys, err := s.IndexKeys("color", "red")
	require.NoError(t, err)
	clear(keys)
	objects, err := s.ByIndex("color", "red")
	require.NoError(t, err)
	clear(objects)
	require.Equal(t, `map[a:red b:red] at "2", indexes [color late], red [default/a default/b] <nil>`, state(s))
}

// TestUpstreamKeepsTheCallersMap shows that cache.NewIndexer's indexes are in the map that the caller gave, and in the
// map that it gets.
func TestUpstreamKeepsTheCallersMap(t *testing.T) {
	indexers := cache.Indexers{}
	one := cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers)
	other := cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers)
	require.NoError(t, one.AddIndexers(cache.Indexers{"color": colorOf}))
	require.Contains(t, indexers, "color")
	require.ErrorContains(t, other.AddIndexers(cache.Indexers{"color": colorOf}), "indexer conflict")
	delete(one.GetIndexers(), "color")
	_, err := one.ByIndex("color", "red")
	require.ErrorContains(t, err, "does not exist")
}

// TestTransformer looks at what is kept: the transformed object, its resourceVersion and its index values, under the
// key that the object had when it came. Upstream's transactions keep the object as it came.
func TestTransformer(t *testing.T) {
	darker := func(obj any) (any, error) {
		o := obj.(*corev1.ConfigMap)
		return configMap("transformed", "dark "+o.Data["color"], "1"+o.ResourceVersion), nil
	}
	transaction := func(s cache.Indexer) error {
		err := s.(cache.TransactionStore).Transaction(
			cache.Transaction{Type: cache.TransactionTypeAdd, Object: configMap("a", "red", "5")})
		if err != nil {
			return err
		}
		return nil
	}
	for name, write := range map[string]func(s cache.Indexer) error{
		"Add":         func(s cache.Indexer) error { return s.Add(configMap("a", "red", "5")) },
		"Update":      func(s cache.Indexer) error { return s.Update(configMap("a", "red", "5")) },
		"Replace":     func(s cache.Indexer) error { return s.Replace([]any{configMap("a", "red", "5")}, "15") },
		"Transaction": transaction,
	} {
		t.Run(name, func(t *testing.T) {
			s := byColor(store.WithTransformer(darker))
			require.NoError(t, write(s))
			require.Equal(t, `map[transformed:dark red] at "15", indexes [color], dark red [default/a] <nil>`, state(s))
		})
	}
	upstream := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{"color": colorOf},
		cache.WithTransformer(darker))
	require.NoError(t, transaction(upstream))
	require.Equal(t, `map[a:red] at "5", indexes [color], red [default/a] <nil>`, state(upstream))
}

// TestFailingTransformer shows that an object which can't be transformed changes nothing.
func TestFailingTransformer(t *testing.T) {
	errTransform := errors.New("no")
	s := byColor(store.WithTransformer(func(obj any) (any, error) {
		if obj.(*corev1.ConfigMap).Data["color"] == "green" {
			return nil, errTransform
		}
		return obj, nil
	}))
	require.NoError(t, s.Add(configMap("a", "red", "1")))
	green := configMap("b", "green", "2")
	require.ErrorIs(t, s.Add(green), errTransform)
	require.ErrorIs(t, s.Update(green), errTransform)
	require.ErrorIs(t, s.Replace([]any{configMap("c", "red", "3"), green}, "3"), errTransform)
	err := s.Transaction(cache.Transaction{Type: cache.TransactionTypeUpdate, Object: green})
	require.Empty(t, err.SuccessfulIndices)
	require.ErrorIs(t, err.Errors[0], errTransform)
	require.Equal(t, `map[a:red] at "1", indexes [color], red [default/a] <nil>`, state(s))
	require.NoError(t, s.Delete(green), "what is deleted is not transformed")
}

// TestTransactionMakesWhatItCan leaves out what has no key, what an index function fails on and what has no known type,
// and makes the rest.
func TestTransactionMakesWhatItCan(t *testing.T) {
	s := store.New(cache.MetaNamespaceKeyFunc, cache.Indexers{"color": (&colors{failsOn: "green"}).of})
	err := s.Transaction(
		cache.Transaction{Type: cache.TransactionTypeAdd, Object: configMap("a", "red", "1")},
		cache.Transaction{Type: cache.TransactionTypeAdd, Object: "no object"},
		cache.Transaction{Type: cache.TransactionTypeUpdate, Object: configMap("a", "green", "2")},
		cache.Transaction{Type: cache.TransactionTypeUpdate, Object: configMap("a", "blue", "3")},
		cache.Transaction{Type: "Upsert", Object: configMap("a", "red", "4")},
	)
	require.Equal(t, []int{0, 3}, err.SuccessfulIndices)
	require.Equal(t, 5, err.TotalTransactions)
	require.Len(t, err.Errors, 3)
	require.ErrorAs(t, err.Errors[0], &cache.KeyError{})
	require.ErrorIs(t, err.Errors[1], errIndex)
	require.ErrorContains(t, err.Errors[2], `"Upsert"`)
	require.Equal(t, `map[a:blue] at "3", indexes [color], blue [default/a] <nil>`, state(s))
	require.Nil(t, s.Transaction())
}

// TestKeyErrorNamesTheObject looks at the error of each method that asks for a key.
func TestKeyErrorNamesTheObject(t *testing.T) {
	s := byColor()
	_, _, getErr := s.Get("no object")
	for _, err := range []error{getErr, s.Add("no object"), s.Update("no object"), s.Delete("no object"),
		s.Replace([]any{"no object"}, "1")} {
		var keyErr cache.KeyError
		require.ErrorAs(t, err, &keyErr)
		require.Equal(t, "no object", keyErr.Obj)
	}
}

// TestUnknownIndexIsNamed looks at the error for an index that is not there: it says which are.
func TestUnknownIndexIsNamed(t *testing.T) {
	_, err := byColor().ByIndex("colour", "red")
	require.ErrorContains(t, err, `there is no index "colour"; there are ["color"]`)
}

// TestIndexFunctionStopsNoReader has an index function wait in the middle of each write until the store was read.
func TestIndexFunctionStopsNoReader(t *testing.T) {
	var s *store.Store
	reads := 0
	s = store.New(cache.MetaNamespaceKeyFunc, cache.Indexers{"color": func(obj any) ([]string, error) {
		read := make(chan struct{})
		go func() {
			defer close(read)
			s.List()
			s.GetIndexers()
			s.LastStoreSyncResourceVersion()
		}()
		<-read
		reads++
		return colorOf(obj)
	}})
	require.NoError(t, s.Add(configMap("a", "red", "1")))
	require.NoError(t, s.Replace([]any{configMap("a", "blue", "2")}, "2"))
	_, err := s.Index("color", configMap("b", "blue", ""))
	require.NoError(t, err)
	require.NoError(t, s.Delete(configMap("a", "blue", "3")))
	require.Equal(t, 4, reads)
}

package store_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
)

var errIndex = errors.New("no color of mine")

// configMap is an object with a color, which the tests index.
func configMap(name, color, resourceVersion string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, ResourceVersion: resourceVersion},
		Data:       map[string]string{"color": color},
	}
}

func colorOf(obj any) ([]string, error) { return []string{obj.(*corev1.ConfigMap).Data["color"]}, nil }

// colors is an index function that can't be asked about some colors.
type colors struct {
	failsOn string
	panics  bool
}

func (c *colors) of(obj any) ([]string, error) {
	values, err := colorOf(obj)
	switch {
	case values[0] != c.failsOn:
		return values, err
	case c.panics:
		panic(errIndex)
	}
	return nil, errIndex
}

// state is all that readers can learn of a store, as text.
func state(s cache.Indexer) string {
	objects := map[string]string{}
	for _, obj := range s.List() {
		objects[obj.(*corev1.ConfigMap).Name] = obj.(*corev1.ConfigMap).Data["color"]
	}
	text := fmt.Sprintf("%v at %q, indexes %v", objects, s.LastStoreSyncResourceVersion(),
		slices.Sorted(maps.Keys(s.GetIndexers())))
	for _, color := range slices.Sorted(slices.Values(s.ListIndexFuncValues("color"))) {
		keys, err := s.IndexKeys("color", color)
		text += fmt.Sprint(", ", color, " ", keys, err)
	}
	return text
}

// tried is a write in which the index function fails on a color, and what upstream is left with.
type tried struct {
	failsOn  string
	write    func(s cache.Indexer, c *colors) error
	upstream string
	old      bool // it fails on an object that is there
}

// before is the state in which each is tried.
const before = `map[a:red b:blue] at "2", indexes [color], blue [default/b] <nil>, red [default/a] <nil>`

var failing = map[string]tried{
	"Add": {"green", func(s cache.Indexer, _ *colors) error { return s.Add(configMap("c", "green", "3")) },
		`map[a:red b:blue c:green] at "2", indexes [color], blue [default/b] <nil>, red [default/a] <nil>`, false},
	"Update": {"green", func(s cache.Indexer, _ *colors) error { return s.Update(configMap("a", "green", "3")) },
		`map[a:green b:blue] at "2", indexes [color], blue [default/b] <nil>, red [default/a] <nil>`, false},
	"Update of what fails": {"red", func(s cache.Indexer, _ *colors) error {
		return s.Update(configMap("a", "green", "3"))
	}, `map[a:green b:blue] at "2", indexes [color], blue [default/b] <nil>, red [default/a] <nil>`, true},
	"Delete": {"red", func(s cache.Indexer, _ *colors) error { return s.Delete(configMap("a", "red", "3")) },
		before, true},
	"Replace": {"green", func(s cache.Indexer, _ *colors) error {
		return s.Replace([]any{configMap("c", "green", "3")}, "3")
	}, `map[c:green] at "3", indexes [color]`, false},
	"Transaction": {"green", func(s cache.Indexer, _ *colors) error {
		err := s.(cache.TransactionStore).Transaction(
			cache.Transaction{Type: cache.TransactionTypeAdd, Object: configMap("c", "green", "3")})
		if err != nil {
			return err.Errors[0]
		}
		return nil
	}, `map[a:red b:blue c:green] at "2", indexes [color], blue [default/b] <nil>, red [default/a] <nil>`, false},
	"AddIndexers": {"red", func(s cache.Indexer, c *colors) error {
		return s.AddIndexers(cache.Indexers{"late": c.of})
	}, `map[a:red b:blue] at "2", indexes [color late], blue [default/b] <nil>, red [default/a] <nil>`, false},
}

// try fills a store, makes the write, and returns what the write panicked with, or its error.
func try(t *testing.T, c *colors, w tried, fresh func(cache.KeyFunc, cache.Indexers) cache.Indexer) (
	s cache.Indexer, panicked any, err error) {
	s = fresh(cache.MetaNamespaceKeyFunc, cache.Indexers{"color": c.of})
	require.NoError(t, s.Add(configMap("a", "red", "1")))
	require.NoError(t, s.Add(configMap("b", "blue", "2")))
	require.Equal(t, before, state(s))
	c.failsOn = w.failsOn
	defer func() { panicked = recover() }()
	err = w.write(s, c)
	return s, nil, err
}

func newOurs(keyFunc cache.KeyFunc, indexers cache.Indexers) cache.Indexer {
	return store.New(keyFunc, indexers)
}

func newUpstreams(keyFunc cache.KeyFunc, indexers cache.Indexers) cache.Indexer {
	return cache.NewIndexer(keyFunc, indexers)
}

// TestFailingIndexFunction shows that a write in which an index function fails, or panics, changes nothing, and that
// the store can be used afterwards.
func TestFailingIndexFunction(t *testing.T) {
	for name, w := range failing {
		for _, panics := range []bool{false, true} {
			if w.old && !panics {
				continue // see TestAnOldObjectThatFails
			}
			t.Run(fmt.Sprintf("%s/panics=%t", name, panics), func(t *testing.T) {
				c := &colors{panics: panics}
				s, panicked, err := try(t, c, w, newOurs)
				if panics {
					require.Equal(t, errIndex, panicked)
				} else {
					require.ErrorIs(t, err, errIndex)
				}
				require.Equal(t, before, state(s))
				c.failsOn = ""
				require.NoError(t, s.Add(configMap("c", "red", "3")))
				require.Equal(t, `map[a:red b:blue c:red] at "3", indexes [color], blue [default/b] <nil>, `+
					`red [default/a default/c] <nil>`, state(s))
			})
		}
	}
}

// TestUpstreamIsLeftHalfWritten shows what cache.NewIndexer does there: it panics also where the index function returns
// an error, and what was written until then stays.
func TestUpstreamIsLeftHalfWritten(t *testing.T) {
	for name, w := range failing {
		t.Run(name, func(t *testing.T) {
			s, panicked, _ := try(t, &colors{}, w, newUpstreams)
			require.ErrorContains(t, panicked.(error), errIndex.Error())
			require.Equal(t, w.upstream, state(s))
		})
	}
}

// An index function may fail on an object that it accepted when it came, because somebody has written to it. The object
// can still be deleted and replaced, and leaves nothing in the index.
func TestAnOldObjectThatFails(t *testing.T) {
	for name, write := range map[string]func(*store.Store) error{
		"Delete": func(s *store.Store) error { return s.Delete(configMap("a", "blue", "3")) },
		"Update": func(s *store.Store) error { return s.Update(configMap("a", "green", "3")) },
	} {
		c := &colors{}
		s := store.New(cache.MetaNamespaceKeyFunc, cache.Indexers{"color": c.of})
		require.NoError(t, s.Add(configMap("a", "red", "1")))
		require.NoError(t, s.Add(configMap("b", "red", "2")))
		c.failsOn = "red"
		require.NoError(t, write(s), name)
		keys, err := s.IndexKeys("color", "red")
		require.NoError(t, err)
		require.Equal(t, []string{"default/b"}, keys, name)
	}
	upstream := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{"color": (&colors{failsOn: "red"}).of})
	require.Panics(t, func() { _ = upstream.Add(configMap("a", "red", "1")) }, "stored, and not indexed")
	require.Panics(t, func() { _ = upstream.Delete(configMap("a", "red", "1")) })
	require.Equal(t, []string{"default/a"}, upstream.ListKeys(), "for ever")
}

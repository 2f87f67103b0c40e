package store

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// TestTheSpaceOfMovesIsEmpty: what a write has planned is used again by the next as space alone. A pointer left in it
// would keep an index alive that a Replace has put away, with all its keys.
func TestTheSpaceOfMovesIsEmpty(t *testing.T) {
	object := func(name string, labels ...string) *corev1.ConfigMap {
		c := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
		c.Data = map[string]string{}
		for _, l := range labels {
			c.Data[l] = l
		}
		return c
	}
	values := func(object any) (list []string, err error) {
		for v := range object.(*corev1.ConfigMap).Data {
			if v == "refused" {
				return nil, errors.New("no")
			}
			list = append(list, v)
		}
		return list, nil
	}
	always := func(any) ([]string, error) { return []string{"here"}, nil }
	s := New(cache.MetaNamespaceKeyFunc, cache.Indexers{"values": values, "a": always, "b": always, "c": always})
	empty := func(after string) {
		t.Helper()
		for i, m := range s.scratch[:cap(s.scratch)] {
			require.Zero(t, m, "after %s, at %d", after, i)
		}
	}
	add := func(object any) cache.Transaction {
		return cache.Transaction{Type: cache.TransactionTypeAdd, Object: object}
	}
	require.NoError(t, s.Add(object("a", "red")))
	require.NotZero(t, cap(s.scratch))
	empty("Add")
	require.Nil(t, s.Transaction(add(object("b", "red", "blue")), add(object("c")), add(object("d", "green"))))
	empty("Transaction")
	for range 20 { // the order in which indexes are asked is that of a map
		require.Error(t, s.Add(object("e", "refused")))
		empty("an Add that failed")
		require.NotNil(t, s.Transaction(add(object("e", "refused")), add(object("a", "red"))))
		empty("a Transaction of which a part failed")
	}
	require.NoError(t, s.Delete(object("a")))
	empty("Delete")
}

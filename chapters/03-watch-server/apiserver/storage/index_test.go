package storage

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/apimachinery/pkg/labels"
)

// counting is a selector that counts how often it is asked.
type counting struct {
	labels.Selector
	asked *int
}

func (c counting) Matches(l labels.Labels) bool {
	*c.asked++
	return c.Selector.Matches(l)
}

// A write asks the watchers that it may concern, and no others: the work grows with those, and
// neither with all watchers nor with the length of the window.
func TestWriteAsksOnlyWhomItConcerns(t *testing.T) {
	for _, history := range []int{10, 1000} {
		s := open(Options{History: history})
		for i := range history {
			put(t, s, thing("n", "old"), i, nil)
		}
		others, concerned := 0, 0
		watch := func(asked *int, selector string, namespace string) {
			parsed, err := labels.Parse(selector)
			assert.NoError(t, err)
			w, err := s.Watch(Query{Resource: things, Namespace: namespace, Labels: counting{parsed, asked}},
				s.Revision(), false)
			assert.NoError(t, err)
			t.Cleanup(w.Stop)
		}
		for i := range 1000 {
			watch(&others, "", fmt.Sprint("other", i))
			watch(&others, fmt.Sprintf("app=other%d", i), "")
		}
		for range 10 {
			watch(&concerned, "app=mine", "n")
		}
		o := put(t, s, thing("n", "new"), 1, map[string]string{"app": "mine"})
		assert.Equal(t, 0, others, "2000 watchers of other namespaces and labels")
		assert.Equal(t, 10, concerned)
		put(t, s, o.Key, 2, map[string]string{"app": "mine"})
		assert.Equal(t, 0, others)
		assert.Equal(t, 30, concerned, "once about the object before, once about the one after")
	}
}

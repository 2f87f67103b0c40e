// Misconception: a Pod that counts elsewhere has changed, and so have all its summaries.
// Caught by: TestAPodThatStaysInSome
// Message: the belief that a Pod that moves changes every summary it is in

//go:build wrong

package mapping

import (
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func add(q Queue, before, after map[reconcile.Request]line, all bool) {
	if len(before) > 0 && len(after) > 0 && !sets.KeySet(before).Equal(sets.KeySet(after)) {
		all = true // wrong: it stays in some
	}
	for key, now := range after {
		if was, ok := before[key]; all || !ok || was != now {
			q.Add(key)
		}
	}
	for key := range before {
		if _, ok := after[key]; !ok {
			q.Add(key)
		}
	}
}

// Breaks: An update, besides: those of the applications in which both count, if their lines differ.
// Caught by: TestWhatALineShows
// Message: the keys that are added are

//go:build wrong

package mapping

import (
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func add(q Queue, before, after map[reconcile.Request]line, all bool) {
	same := sets.KeySet(before).Equal(sets.KeySet(after))
	for key, now := range after {
		if was, ok := before[key]; all || !ok || was != now && same { // wrong: both may have happened
			q.Add(key)
		}
	}
	for key := range before {
		if _, ok := after[key]; !ok {
			q.Add(key)
		}
	}
}

// Misconception: what was written under a version that is still in the cache is not to be written again.
// Caught by: TestTheCounts
// Message: written was: nothing

//go:build wrong

package status

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/api/equality"
)

var last sync.Map

func (r Reporter) Report(ctx context.Context, key Key) error {
	read, err := r.Reader.Get(ctx, key)
	if err != nil {
		return unlessGone(err)
	}
	observed, err := r.Observer.Observe(ctx, read.DeepCopy())
	if err != nil {
		return fmt.Errorf("observing %s: %w", key, err)
	}
	changed := read.DeepCopy()
	r.fill(&changed.Status, observed, read.Generation)
	if equality.Semantic.DeepEqual(changed.Status, read.Status) {
		return nil
	}
	if was, _ := last.Swap(key, read.ResourceVersion); was == read.ResourceVersion {
		return nil // wrong: another look is another status
	}
	return r.write(ctx, changed, read)
}

// Breaks: It may be called several times at once, and no call waits for another.
// Caught by: TestSeveralAtOnce
// Message: each comes to read while the others are there

//go:build wrong

package status

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/api/equality"
)

var mu sync.Mutex

func (r Reporter) Report(ctx context.Context, key Key) error {
	mu.Lock() // wrong
	defer mu.Unlock()
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
	return r.write(ctx, changed, read)
}

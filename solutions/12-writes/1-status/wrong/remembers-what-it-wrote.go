// Breaks: Each call goes by what it reads and observes, and by nothing that it remembers.
// Caught by: TestTheGeneration
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
	status := changed.Status.String()
	if was, ok := last.Load(key); ok && was == status {
		return nil // wrong: it may not have come through, or somebody has changed it
	}
	last.Store(key, status)
	return r.write(ctx, changed, read)
}

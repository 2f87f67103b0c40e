// Misconception: a generation that has been observed needs no second look.
// Caught by: TestFirstReport
// Message: Observe was not called

//go:build wrong

package status

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
)

func (r Reporter) Report(ctx context.Context, key Key) error {
	read, err := r.Reader.Get(ctx, key)
	if err != nil {
		return unlessGone(err)
	}
	if read.Status.ObservedGeneration == read.Generation {
		return nil // wrong: the world changes, too
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

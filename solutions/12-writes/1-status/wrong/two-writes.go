// Breaks: Otherwise Patch is called once, whatever comes of it.
// Caught by: TestFirstReport
// Message: written was: 2 times

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
	observed, err := r.Observer.Observe(ctx, read.DeepCopy())
	if err != nil {
		return fmt.Errorf("observing %s: %w", key, err)
	}
	changed := read.DeepCopy()
	changed.Status.ObservedGeneration = read.Generation
	if read.Status.ObservedGeneration != read.Generation { // wrong
		if err := r.write(ctx, changed, read); err != nil {
			return err
		}
		read = changed.DeepCopy()
	}
	r.fill(&changed.Status, observed, read.Generation)
	if equality.Semantic.DeepEqual(changed.Status, read.Status) {
		return nil
	}
	return r.write(ctx, changed, read)
}

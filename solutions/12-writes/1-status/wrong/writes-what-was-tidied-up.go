// Breaks: What it does to that copy shows nowhere else.
// Caught by: TestFirstReport
// Message: is in it, and should not be

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
	changed := read.DeepCopy()
	observed, err := r.Observer.Observe(ctx, changed) // wrong
	if err != nil {
		return fmt.Errorf("observing %s: %w", key, err)
	}
	r.fill(&changed.Status, observed, read.Generation)
	if equality.Semantic.DeepEqual(changed.Status, read.Status) {
		return nil
	}
	return r.write(ctx, changed, read)
}

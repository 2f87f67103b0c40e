// Misconception: assigning a struct copies it.
// Caught by: TestFirstReport
// Message: Points to: the belief that what was read is the reader's own. It is the cache's, and all who read have the
// same one

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
	of := *read // wrong: the list is the same
	changed := &of
	r.fill(&changed.Status, observed, read.Generation)
	if equality.Semantic.DeepEqual(changed.Status, read.Status) {
		return nil
	}
	return r.write(ctx, changed, read)
}

// Misconception: SetStatusCondition says whether the status has changed.
// Caught by: TestTheCounts
// Message: CurrentHealthy goes from 5 to 4

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
	r.fill(&changed.Status, observed, read.Generation)
	if equality.Semantic.DeepEqual(changed.Status.Conditions, read.Status.Conditions) {
		return nil
	}
	return r.write(ctx, changed, read)
}

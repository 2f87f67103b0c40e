// Breaks: if one of them changes, the whole list is in the patch.
// Caught by: TestTheCounts
// Message: the belief that a merge patch merges lists

//go:build wrong

package status

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	if equality.Semantic.DeepEqual(changed.Status, read.Status) {
		return nil
	}
	if !equality.Semantic.DeepEqual(changed.Status.Conditions, read.Status.Conditions) {
		c := meta.FindStatusCondition(changed.Status.Conditions, Healthy)
		changed.Status.Conditions = []metav1.Condition{*c} // wrong
	}
	return r.write(ctx, changed, read)
}

// Breaks: Observe gets a copy of all that was read.
// Caught by: TestFirstReport
// Message: it was given something else

//go:build wrong

package status

import (
	"context"
	"fmt"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

func (r Reporter) Report(ctx context.Context, key Key) error {
	read, err := r.Reader.Get(ctx, key)
	if err != nil {
		return unlessGone(err)
	}
	observed, err := r.Observer.Observe(ctx, specOf(read))
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

func specOf(read *policyv1.PodDisruptionBudget) *policyv1.PodDisruptionBudget {
	o := read.DeepCopy()
	o.Status = policyv1.PodDisruptionBudgetStatus{} // wrong
	return o
}

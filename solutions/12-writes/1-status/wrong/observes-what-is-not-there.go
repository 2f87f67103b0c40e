// Breaks: Then nothing is observed or written.
// Caught by: TestGone
// Message: Observe is called 0 times

//go:build wrong

package status

import (
	"context"
	"fmt"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

func (r Reporter) Report(ctx context.Context, key Key) error {
	read, err := r.Reader.Get(ctx, key)
	if err != nil {
		if apierrors.IsNotFound(err) {
			_, err = r.Observer.Observe(ctx, &policyv1.PodDisruptionBudget{}) // wrong
		}
		return err
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

// Misconception: a call that was stopped has not failed.
// Caught by: TestErrors
// Message: context canceled

//go:build wrong

package status

import (
	"context"
	"errors"

	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (r Reporter) write(ctx context.Context, changed, read *policyv1.PodDisruptionBudget) error {
	patch := client.MergeFromWithOptions(read, client.MergeFromWithOptimisticLock{})
	err := r.Writer.Patch(ctx, changed, patch, client.FieldOwner(Owner))
	if errors.Is(err, context.Canceled) {
		return nil // wrong: the status is not written
	}
	return unlessGone(err)
}

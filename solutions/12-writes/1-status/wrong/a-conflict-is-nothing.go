// Misconception: after a conflict the other's write brings the key anyway, so there is no failure.
// Caught by: TestConflict
// Message: the belief that a conflict is nothing

//go:build wrong

package status

import (
	"context"

	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (r Reporter) write(ctx context.Context, changed, read *policyv1.PodDisruptionBudget) error {
	patch := client.MergeFromWithOptions(read, client.MergeFromWithOptimisticLock{})
	err := r.Writer.Patch(ctx, changed, patch, client.FieldOwner(Owner))
	if apierrors.IsConflict(err) {
		return nil // wrong
	}
	return unlessGone(err)
}

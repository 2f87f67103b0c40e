// Breaks: There is no second call.
// Caught by: TestErrors
// Message: Patch is called 1 times

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
	if apierrors.IsServerTimeout(err) {
		err = r.Writer.Patch(ctx, changed, patch, client.FieldOwner(Owner)) // wrong
	}
	return unlessGone(err)
}

// Breaks: No error, if the Writer says that there is no such object any more.
// Caught by: TestGone
// Message: no error is returned

//go:build wrong

package status

import (
	"context"

	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (r Reporter) write(ctx context.Context, changed, read *policyv1.PodDisruptionBudget) error {
	patch := client.MergeFromWithOptions(read, client.MergeFromWithOptimisticLock{})
	return r.Writer.Patch(ctx, changed, patch, client.FieldOwner(Owner)) // wrong
}

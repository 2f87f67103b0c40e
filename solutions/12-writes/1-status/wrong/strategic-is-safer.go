// Breaks: It gets a merge patch, of the type types.MergePatchType.
// Caught by: TestFirstReport
// Message: application/strategic-merge-patch+json

//go:build wrong

package status

import (
	"context"

	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (r Reporter) write(ctx context.Context, changed, read *policyv1.PodDisruptionBudget) error {
	patch := client.StrategicMergeFrom(read, client.MergeFromWithOptimisticLock{})
	return unlessGone(r.Writer.Patch(ctx, changed, patch, client.FieldOwner(Owner)))
}

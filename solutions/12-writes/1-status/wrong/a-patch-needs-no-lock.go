// Misconception: an Update needs a lock, since it writes all. A patch has only what I change.
// Caught by: TestFirstReport
// Message: the belief that a merge patch undoes nothing of others

//go:build wrong

package status

import (
	"context"

	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (r Reporter) write(ctx context.Context, changed, read *policyv1.PodDisruptionBudget) error {
	patch := client.MergeFrom(read) // wrong
	return unlessGone(r.Writer.Patch(ctx, changed, patch, client.FieldOwner(Owner)))
}

// Breaks: Reader, Observer and Writer get ctx, or one that is made from it and ends when it does.
// Caught by: TestTheContext
// Message: the ctx that it was given ends

//go:build wrong

package status

import (
	"context"

	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (r Reporter) write(ctx context.Context, changed, read *policyv1.PodDisruptionBudget) error {
	patch := client.MergeFromWithOptions(read, client.MergeFromWithOptimisticLock{})
	return unlessGone(r.Writer.Patch(context.WithoutCancel(ctx), changed, patch, client.FieldOwner(Owner)))
}

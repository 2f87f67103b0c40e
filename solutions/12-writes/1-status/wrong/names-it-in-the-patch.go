// Breaks: Beside these it has nothing in it.
// Caught by: TestFirstReport
// Message: metadata.name is in it, and should not be

//go:build wrong

package status

import (
	"context"

	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (r Reporter) write(ctx context.Context, changed, read *policyv1.PodDisruptionBudget) error {
	base := read.DeepCopy()
	base.Name = "" // wrong: the URL has it
	patch := client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{})
	return unlessGone(r.Writer.Patch(ctx, changed, patch, client.FieldOwner(Owner)))
}

// Breaks: Report waits for nothing but these three.
// Caught by: TestFirstReport
// Message: Report has waited for

//go:build wrong

package status

import (
	"context"
	"time"

	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (r Reporter) write(ctx context.Context, changed, read *policyv1.PodDisruptionBudget) error {
	patch := client.MergeFromWithOptions(read, client.MergeFromWithOptimisticLock{})
	time.Sleep(50 * time.Millisecond) // wrong
	return unlessGone(r.Writer.Patch(ctx, changed, patch, client.FieldOwner(Owner)))
}

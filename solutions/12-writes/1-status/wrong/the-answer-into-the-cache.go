// Breaks: Nothing that the Reader returns is changed, by the Writer's answer neither.
// Caught by: TestFirstReport
// Message: the belief that what was read is the reader's own

//go:build wrong

package status

import (
	"context"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (r Reporter) write(ctx context.Context, changed, read *policyv1.PodDisruptionBudget) error {
	patch := client.MergeFromWithOptions(read, client.MergeFromWithOptimisticLock{})
	data, err := patch.Data(changed)
	if err != nil {
		return err
	}
	patch = client.RawPatch(types.MergePatchType, data)
	return unlessGone(r.Writer.Patch(ctx, read, patch, client.FieldOwner(Owner)))
}

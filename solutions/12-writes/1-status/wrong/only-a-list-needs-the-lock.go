// Breaks: The patch has in it, as metadata.resourceVersion, the resourceVersion of the object that was read,
// Caught by: TestTheCounts
// Message: metadata

//go:build wrong

package status

import (
	"context"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (r Reporter) write(ctx context.Context, changed, read *policyv1.PodDisruptionBudget) error {
	patch := client.MergeFromWithOptions(read, client.MergeFromWithOptimisticLock{})
	if equality.Semantic.DeepEqual(changed.Status.Conditions, read.Status.Conditions) {
		patch = client.MergeFrom(read) // wrong: the counts are of an old world, too
	}
	return unlessGone(r.Writer.Patch(ctx, changed, patch, client.FieldOwner(Owner)))
}

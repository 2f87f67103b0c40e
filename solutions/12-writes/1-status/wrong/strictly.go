// Breaks: There is no other option.
// Caught by: TestFirstReport
// Message: Strict

//go:build wrong

package status

import (
	"context"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (r Reporter) write(ctx context.Context, changed, read *policyv1.PodDisruptionBudget) error {
	patch := client.MergeFromWithOptions(read, client.MergeFromWithOptimisticLock{})
	return unlessGone(r.Writer.Patch(ctx, changed, patch,
		client.FieldOwner(Owner), client.FieldValidation(metav1.FieldValidationStrict)))
}

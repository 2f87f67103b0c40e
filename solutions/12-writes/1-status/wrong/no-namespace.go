// Breaks: The obj is a *policyv1.PodDisruptionBudget that has the namespace and the name of the key.
// Caught by: TestFirstReport
// Message: *v1.PodDisruptionBudget /front

//go:build wrong

package status

import (
	"context"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	changed = &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: read.Name}} // wrong
	return unlessGone(r.Writer.Patch(ctx, changed, patch, client.FieldOwner(Owner)))
}

// Breaks: Of the status it has those fields that change, each with its new value, and no other.
// Caught by: TestTheCounts
// Message: status.desiredHealthy is in it, and should not be

//go:build wrong

package status

import (
	"context"
	"encoding/json"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (r Reporter) write(ctx context.Context, changed, read *policyv1.PodDisruptionBudget) error {
	data, err := json.Marshal(map[string]any{ // wrong
		"metadata": map[string]any{"resourceVersion": read.ResourceVersion}, "status": changed.Status})
	if err != nil {
		return err
	}
	patch := client.RawPatch(types.MergePatchType, data)
	return unlessGone(r.Writer.Patch(ctx, changed, patch, client.FieldOwner(Owner)))
}

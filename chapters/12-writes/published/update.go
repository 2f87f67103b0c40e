package published

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// UpdateLastWins updates an object, in the hope that the last write wins. The object has the version that was read,
// so it is the first one that wins.
func UpdateLastWins(ctx context.Context, over client.Client, p *v1alpha1.Process, seconds int32) error {
	p.Spec.GracePeriodSeconds = &seconds
	return over.Update(ctx, p)
}

// PatchLastWins sends the one field, without a version. This one wins over whoever wrote the field before, and touches
// nothing else.
func PatchLastWins(ctx context.Context, over client.Client, p *v1alpha1.Process, seconds int32) error {
	patch := client.MergeFrom(p.DeepCopy())
	p.Spec.GracePeriodSeconds = &seconds
	return over.Patch(ctx, p, patch)
}

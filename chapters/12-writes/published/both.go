package published

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// OnePatchForBoth saves spec and status with one patch, and copies, so that the first answer does not overwrite what
// the second request is to say. The patch has the version that was read. The first request makes another one.
func OnePatchForBoth(ctx context.Context, over client.Client, p *v1alpha1.Process, seconds, pid int32) error {
	patch := client.MergeFromWithOptions(p.DeepCopy(), client.MergeFromWithOptimisticLock{})
	p.Spec.GracePeriodSeconds = &seconds
	p.Status.PID = &pid
	if err := over.Patch(ctx, p.DeepCopy(), patch); err != nil {
		return err
	}
	return over.Status().Patch(ctx, p.DeepCopy(), patch)
}

// OnePatchForEach saves them with two patches, the second of which has the version that the first has made.
func OnePatchForEach(ctx context.Context, over client.Client, p *v1alpha1.Process, seconds, pid int32) error {
	before := p.DeepCopy()
	p.Spec.GracePeriodSeconds = &seconds
	p.Status.PID = &pid
	return writes.Save(ctx, over, before, p)
}

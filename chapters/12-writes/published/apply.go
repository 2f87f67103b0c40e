package published

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	apply "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/applyconfiguration/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// Manager is the field manager of all that is written here.
const Manager = "grace"

// ApplyWhatWasRead changes an object that was read, and applies it. What was read has managedFields, which an apply
// must not have; a Go type that came from a typed client has no kind. And whoever applies an object as it was read
// wants to own each field that anybody has ever set.
func ApplyWhatWasRead(ctx context.Context, over client.Client, p *v1alpha1.Process, seconds int32) error {
	p.Spec.GracePeriodSeconds = &seconds
	//lint:ignore SA1019 it is what is published
	return over.Patch(ctx, p, client.Apply, client.ForceOwnership, client.FieldOwner(Manager))
}

// ApplyWhatIsOwn applies the one field that it is about. It needs no read.
func ApplyWhatIsOwn(ctx context.Context, over client.Client, p *v1alpha1.Process, seconds int32) error {
	own := apply.Process(p.Name, p.Namespace).WithSpec(apply.ProcessSpec().WithGracePeriodSeconds(seconds))
	return over.Apply(ctx, own, client.ForceOwnership, client.FieldOwner(Manager))
}

// Breaks: This goes for slices, maps and pointers, whatever they lead to, and for those of the metadata, too.
// Caught by: TestTheMetadataIsItsOwn
// Message: out.*OwnerReferences[0].Controller

//go:build wrong

package deepcopy

import (
	"slices"
)

func (in *Process) DeepCopyInto(out *Process) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.OwnerReferences = slices.Clone(in.OwnerReferences)
	in.Spec.into(&out.Spec)
	out.Status.PID = target(in.Status.PID)
	out.Status.StartedAt = in.Status.StartedAt.DeepCopy()
	out.Status.Conditions = slices.Clone(in.Status.Conditions)
	out.Status.Output = slices.Clone(in.Status.Output)
}

// Misconception: labels and annotations are what metadata leads to.
// Caught by: TestTheMetadataIsItsOwn
// Message: out.Finalizers[0]

//go:build wrong

package deepcopy

import (
	"maps"
	"slices"
)

func (in *Process) DeepCopyInto(out *Process) {
	*out = *in
	out.Labels, out.Annotations = maps.Clone(in.Labels), maps.Clone(in.Annotations)
	in.Spec.into(&out.Spec)
	out.Status.PID = target(in.Status.PID)
	out.Status.StartedAt = in.Status.StartedAt.DeepCopy()
	out.Status.Conditions = slices.Clone(in.Status.Conditions)
	out.Status.Output = slices.Clone(in.Status.Output)
}

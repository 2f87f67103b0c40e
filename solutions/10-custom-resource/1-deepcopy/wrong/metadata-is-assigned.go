// Misconception: metadata is names and numbers.
// Caught by: TestTheMetadataIsItsOwn
// Message: the belief that metadata is names and numbers

//go:build wrong

package deepcopy

import (
	"slices"
)

func (in *Process) DeepCopyInto(out *Process) {
	*out = *in
	out.ObjectMeta = in.ObjectMeta
	in.Spec.into(&out.Spec)
	out.Status.PID = target(in.Status.PID)
	out.Status.StartedAt = in.Status.StartedAt.DeepCopy()
	out.Status.Conditions = slices.Clone(in.Status.Conditions)
	out.Status.Output = slices.Clone(in.Status.Output)
}

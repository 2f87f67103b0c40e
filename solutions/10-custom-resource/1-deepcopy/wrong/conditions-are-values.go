// Misconception: a slice of structs without pointers needs no copy.
// Caught by: TestTheStatusIsItsOwn
// Message: out.Status.Conditions[0].Status

//go:build wrong

package deepcopy

import (
	"slices"
)

func (in *Process) DeepCopyInto(out *Process) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	in.Spec.into(&out.Spec)
	out.Status.PID = target(in.Status.PID)
	out.Status.StartedAt = in.Status.StartedAt.DeepCopy()
	out.Status.Output = slices.Clone(in.Status.Output)
}

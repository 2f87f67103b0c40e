// Misconception: a []byte is a string.
// Caught by: TestTheStatusIsItsOwn
// Message: out.Status.Output[0]

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
	out.Status.Conditions = slices.Clone(in.Status.Conditions)
}

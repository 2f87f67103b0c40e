// Misconception: the variable that a pointer of out leads to is out's.
// Caught by: TestWhatOutLedToIsNotWrittenTo
// Message: the belief that what out leads to is out's

//go:build wrong

package deepcopy

import (
	"slices"
)

func (in *Process) DeepCopyInto(out *Process) {
	pid := out.Status.PID
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	in.Spec.into(&out.Spec)
	if in.Status.PID != nil && pid != nil {
		*pid = *in.Status.PID
		out.Status.PID = pid
	} else {
		out.Status.PID = target(in.Status.PID)
	}
	out.Status.StartedAt = in.Status.StartedAt.DeepCopy()
	out.Status.Conditions = slices.Clone(in.Status.Conditions)
	out.Status.Output = slices.Clone(in.Status.Output)
}

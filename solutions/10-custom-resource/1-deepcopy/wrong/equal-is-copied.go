// Misconception: what is equal to the original is a copy of it.
// Caught by: TestWhatOutLedToIsNotWrittenTo
// Message: somebody writes to in, and nothing changes in out

//go:build wrong

package deepcopy

import (
	"slices"
)

func (in *Process) DeepCopyInto(out *Process) {
	args, same := out.Spec.Args, len(in.Spec.Args) > 0 && slices.Equal(out.Spec.Args, in.Spec.Args)
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	in.Spec.into(&out.Spec)
	if same { // nothing to do
		out.Spec.Args = args
	}
	out.Status.PID = target(in.Status.PID)
	out.Status.StartedAt = in.Status.StartedAt.DeepCopy()
	out.Status.Conditions = slices.Clone(in.Status.Conditions)
	out.Status.Output = slices.Clone(in.Status.Output)
}

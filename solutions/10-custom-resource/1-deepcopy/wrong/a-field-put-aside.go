// Breaks: Others may read it, and copy it, at the same time.
// Caught by: TestTheOriginalIsOnlyRead
// Message: data race

//go:build wrong

package deepcopy

import (
	"slices"
)

func (in *Process) DeepCopyInto(out *Process) {
	args := in.Spec.Args
	in.Spec.Args = nil // it is copied below
	*out = *in
	in.Spec.Args = args
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	in.Spec.into(&out.Spec)
	out.Status.PID = target(in.Status.PID)
	out.Status.StartedAt = in.Status.StartedAt.DeepCopy()
	out.Status.Conditions = slices.Clone(in.Status.Conditions)
	out.Status.Output = slices.Clone(in.Status.Output)
}

// Misconception: managedFields are the API server's, and belong into no copy.
// Caught by: TestEachFieldIsCopied
// Message: ObjectMeta.ManagedFields should be of length 1

//go:build wrong

package deepcopy

import (
	"slices"
)

func (in *Process) DeepCopyInto(out *Process) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.ManagedFields = nil
	in.Spec.into(&out.Spec)
	out.Status.PID = target(in.Status.PID)
	out.Status.StartedAt = in.Status.StartedAt.DeepCopy()
	out.Status.Conditions = slices.Clone(in.Status.Conditions)
	out.Status.Output = slices.Clone(in.Status.Output)
}

// Misconception: who writes what is there already changes nothing.
// Caught by: TestTheOriginalIsOnlyRead
// Message: data race

//go:build wrong

package deepcopy

import (
	"slices"
	"strings"
)

func (in *Process) DeepCopyInto(out *Process) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	in.Spec.into(&out.Spec)
	out.Status.PID = target(in.Status.PID)
	out.Status.StartedAt = in.Status.StartedAt.DeepCopy()
	for i := range in.Status.Conditions {
		in.Status.Conditions[i].Type = strings.TrimSpace(in.Status.Conditions[i].Type)
	}
	out.Status.Conditions = slices.Clone(in.Status.Conditions)
	out.Status.Output = slices.Clone(in.Status.Output)
}

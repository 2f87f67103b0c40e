// Breaks: in is only read.
// Caught by: TestTheOriginalIsOnlyRead
// Message: data race

//go:build wrong

package deepcopy

import (
	"slices"
)

func (in *Process) DeepCopyInto(out *Process) {
	if in.Spec.Limits == nil {
		in.Spec.Limits = map[string]int64{}
		defer func() { in.Spec.Limits, out.Spec.Limits = nil, nil }()
	}
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	in.Spec.into(&out.Spec)
	out.Status.PID = target(in.Status.PID)
	out.Status.StartedAt = in.Status.StartedAt.DeepCopy()
	out.Status.Conditions = slices.Clone(in.Status.Conditions)
	out.Status.Output = slices.Clone(in.Status.Output)
}

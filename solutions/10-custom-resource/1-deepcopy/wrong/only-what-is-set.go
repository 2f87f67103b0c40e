// Misconception: what is not set in the original need not be touched in the copy.
// Caught by: TestNothingIsLeftOfWhatThereWas
// Message: the belief that out is empty

//go:build wrong

package deepcopy

import (
	"maps"
	"slices"
)

func (in *Process) DeepCopyInto(out *Process) {
	out.TypeMeta = in.TypeMeta
	out.Spec.Command, out.Spec.RestartPolicy = in.Spec.Command, in.Spec.RestartPolicy
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	in.Spec.into(&out.Spec)
	if in.Status.PID != nil {
		out.Status.PID = target(in.Status.PID)
	}
	out.Status.StartedAt = in.Status.StartedAt.DeepCopy()
	out.Status.Conditions = slices.Clone(in.Status.Conditions)
	out.Status.Output = slices.Clone(in.Status.Output)
}

func (in *ProcessSpec) into(out *ProcessSpec) {
	out.Args = slices.Clone(in.Args)
	out.Env = slices.Clone(in.Env)
	for i := range out.Env {
		out.Env[i].Value = target(in.Env[i].Value)
	}
	out.GracePeriodSeconds = target(in.GracePeriodSeconds)
	out.Limits = maps.Clone(in.Limits)
	out.Files = maps.Clone(in.Files)
	for path, lines := range in.Files {
		out.Files[path] = slices.Clone(lines)
	}
	if in.Probe == nil {
		out.Probe = nil
	} else {
		out.Probe = &Probe{slices.Clone(in.Probe.Command), target(in.Probe.PeriodSeconds)}
	}
}

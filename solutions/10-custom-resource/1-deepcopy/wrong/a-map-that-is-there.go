// Misconception: the map that is there can be filled.
// Caught by: TestNothingIsLeftOfWhatThereWas
// Message: the belief that out is empty

//go:build wrong

package deepcopy

import (
	"maps"
	"slices"
)

func (in *Process) DeepCopyInto(out *Process) {
	limits := out.Spec.Limits
	*out = *in
	out.Spec.Limits = limits
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	in.Spec.into(&out.Spec)
	out.Status.PID = target(in.Status.PID)
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
	if out.Limits == nil {
		out.Limits = maps.Clone(in.Limits)
	}
	for name, limit := range in.Limits {
		out.Limits[name] = limit
	}
	out.Files = maps.Clone(in.Files)
	for path, lines := range in.Files {
		out.Files[path] = slices.Clone(lines)
	}
	if in.Probe != nil {
		out.Probe = &Probe{slices.Clone(in.Probe.Command), target(in.Probe.PeriodSeconds)}
	}
}

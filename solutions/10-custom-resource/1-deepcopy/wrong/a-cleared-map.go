// Misconception: the map that is there can be emptied and filled: it is out's.
// Caught by: TestWhatOutLedToIsNotWrittenTo
// Message: the belief that what out leads to is out's

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
	switch {
	case in.Limits == nil || out.Limits == nil:
		out.Limits = maps.Clone(in.Limits)
	default:
		clear(out.Limits)
		maps.Copy(out.Limits, in.Limits)
	}
	out.Files = maps.Clone(in.Files)
	for path, lines := range in.Files {
		out.Files[path] = slices.Clone(lines)
	}
	if in.Probe != nil {
		out.Probe = &Probe{slices.Clone(in.Probe.Command), target(in.Probe.PeriodSeconds)}
	}
}

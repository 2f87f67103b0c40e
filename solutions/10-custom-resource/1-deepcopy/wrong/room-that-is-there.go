// Misconception: the room of the slice that is there can be used: it is out's.
// Caught by: TestWhatOutLedToIsNotWrittenTo
// Message: the belief that what out leads to is out's

//go:build wrong

package deepcopy

import (
	"maps"
	"slices"
)

func (in *Process) DeepCopyInto(out *Process) {
	args := out.Spec.Args
	*out = *in
	if in.Spec.Args != nil && args != nil {
		out.Spec.Args = append(args[:0], in.Spec.Args...)
	} else {
		out.Spec.Args = slices.Clone(in.Spec.Args)
	}
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	in.Spec.into(&out.Spec)
	out.Status.PID = target(in.Status.PID)
	out.Status.StartedAt = in.Status.StartedAt.DeepCopy()
	out.Status.Conditions = slices.Clone(in.Status.Conditions)
	out.Status.Output = slices.Clone(in.Status.Output)
}

func (in *ProcessSpec) into(out *ProcessSpec) {
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
	if in.Probe != nil {
		out.Probe = &Probe{slices.Clone(in.Probe.Command), target(in.Probe.PeriodSeconds)}
	}
}

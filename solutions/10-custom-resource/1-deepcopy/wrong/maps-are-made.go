// Misconception: a map that is nil is an empty map.
// Caught by: TestNilAndEmpty
// Message: Spec.Limits should be nil, and is empty

//go:build wrong

package deepcopy

import (
	"maps"
	"slices"
)

func (in *ProcessSpec) into(out *ProcessSpec) {
	out.Args = slices.Clone(in.Args)
	out.Env = slices.Clone(in.Env)
	for i := range out.Env {
		out.Env[i].Value = target(in.Env[i].Value)
	}
	out.GracePeriodSeconds = target(in.GracePeriodSeconds)
	out.Limits = make(map[string]int64, len(in.Limits))
	maps.Copy(out.Limits, in.Limits)
	out.Files = maps.Clone(in.Files)
	for path, lines := range in.Files {
		out.Files[path] = slices.Clone(lines)
	}
	if in.Probe != nil {
		out.Probe = &Probe{slices.Clone(in.Probe.Command), target(in.Probe.PeriodSeconds)}
	}
}

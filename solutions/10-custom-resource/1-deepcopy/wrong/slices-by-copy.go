// Misconception: copy copies what the elements lead to.
// Caught by: TestTheSpecIsItsOwn
// Message: the belief that a copied slice has copied what its elements lead to

//go:build wrong

package deepcopy

import (
	"maps"
	"slices"
)

func (in *ProcessSpec) into(out *ProcessSpec) {
	out.Args = slices.Clone(in.Args)
	if in.Env != nil {
		out.Env = make([]EnvVar, len(in.Env))
		copy(out.Env, in.Env)
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

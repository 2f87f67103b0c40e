// Misconception: maps.Clone copies what the values lead to.
// Caught by: TestTheSpecIsItsOwn
// Message: the belief that a copied map has copied what its values lead to

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
	out.Limits = maps.Clone(in.Limits)
	out.Files = maps.Clone(in.Files)
	if in.Probe != nil {
		out.Probe = &Probe{slices.Clone(in.Probe.Command), target(in.Probe.PeriodSeconds)}
	}
}

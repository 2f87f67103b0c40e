// Misconception: what a pointer leads to is copied by an assignment.
// Caught by: TestTheSpecIsItsOwn
// Message: the belief that a copied struct has copied what it leads to

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
	for path, lines := range in.Files {
		out.Files[path] = slices.Clone(lines)
	}
	out.Probe = target(in.Probe)
}

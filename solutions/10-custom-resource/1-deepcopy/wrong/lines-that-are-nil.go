// Breaks: A slice or map that is nil is nil in out, and one that is empty is empty.
// Caught by: TestEachFieldIsCopied
// Message: Spec.Files["nil"] should be nil, and is empty

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
		out.Files[path] = append([]string{}, lines...)
	}
	if in.Probe != nil {
		out.Probe = &Probe{slices.Clone(in.Probe.Command), target(in.Probe.PeriodSeconds)}
	}
}

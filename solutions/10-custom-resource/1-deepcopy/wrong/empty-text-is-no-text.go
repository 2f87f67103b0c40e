// Breaks: Each field of out is as in's is, also what JSON leaves out.
// Caught by: TestEachFieldIsCopied
// Message: Spec.Env[2].Value should be a pointer, and is nil

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
		if out.Env[i].Value = target(in.Env[i].Value); out.Env[i].Value != nil && *out.Env[i].Value == "" {
			out.Env[i].Value = nil
		}
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

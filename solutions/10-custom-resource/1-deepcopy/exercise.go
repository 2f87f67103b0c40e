// Package deepcopy copies an object so that nobody notices what becomes of the copy.
package deepcopy

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Process is a process of the operating system. A cache hands out the same one to all who ask, and whoever wants to
// change it changes a copy.
type Process struct {
	metav1.TypeMeta   `json:""`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ProcessSpec   `json:"spec"`
	Status ProcessStatus `json:"status,omitempty"`
}

// ProcessSpec says what is to run.
type ProcessSpec struct {
	Command            string              `json:"command"`
	Args               []string            `json:"args"`
	Env                []EnvVar            `json:"env,omitempty"`
	RestartPolicy      string              `json:"restartPolicy,omitempty"`
	GracePeriodSeconds *int32              `json:"gracePeriodSeconds,omitempty"`
	Limits             map[string]int64    `json:"limits,omitempty"`
	Files              map[string][]string `json:"files,omitempty"` // lines, by path
	Probe              *Probe              `json:"probe,omitempty"`
}

// EnvVar is a variable of the environment. Without a value it is taken over from the controller's.
type EnvVar struct {
	Name  string  `json:"name"`
	Value *string `json:"value,omitempty"`
}

// Probe asks a process whether it is well.
type Probe struct {
	Command       []string `json:"command"`
	PeriodSeconds *int32   `json:"periodSeconds,omitempty"`
}

// ProcessStatus says what runs.
type ProcessStatus struct {
	PID        *int32             `json:"pid,omitempty"`
	StartedAt  *metav1.Time       `json:"startedAt,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	Output     []byte             `json:"-"` // the last line, which only this program knows
}

// DeepCopyInto makes out a copy of in. They are two, and neither is nil.
//
// The copy:
//
//   - Each field of out is as in's is, also what JSON leaves out.
//   - A slice or map that is nil is nil in out, and one that is empty is empty.
//   - Nothing can be reached from both: whatever is written to one, at whatever depth, the other stays as it is. This
//     goes for slices, maps and pointers, whatever they lead to, and for those of the metadata, too.
//
// What there was:
//
//   - in is only read. Others may read it, and copy it, at the same time.
//   - out may be any Process, also a plain copy of in. Of what it held nothing is left in it.
//   - Nothing that out led to is written to: others may have it, too.
func (in *Process) DeepCopyInto(out *Process) {
	//solution:begin
	//todo: copy each field, as deep as it goes
	//stub: _, _ = slices.Clone[[]int], maps.Clone[map[int]int]
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	in.Spec.into(&out.Spec)
	out.Status.PID = target(in.Status.PID)
	out.Status.StartedAt = in.Status.StartedAt.DeepCopy()
	out.Status.Conditions = slices.Clone(in.Status.Conditions)
	out.Status.Output = slices.Clone(in.Status.Output)
	//solution:end
}

//solution:begin

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
	if in.Probe != nil {
		out.Probe = &Probe{slices.Clone(in.Probe.Command), target(in.Probe.PeriodSeconds)}
	}
}

// target copies what a pointer points to, where that leads nowhere else.
func target[T any](pointer *T) *T {
	if pointer == nil {
		return nil
	}
	return new(*pointer)
}

//solution:end

// DeepCopy returns a new copy of in, or nil if in is nil.
func (in *Process) DeepCopy() *Process {
	//solution:begin
	//todo: make a copy
	//stub: return in
	if in == nil {
		return nil
	}
	out := new(Process)
	in.DeepCopyInto(out)
	return out
	//solution:end
}

// DeepCopyObject implements runtime.Object. What it returns is a new copy of in, a *Process, and equals nil if in is
// nil.
func (in *Process) DeepCopyObject() runtime.Object {
	//solution:begin
	//todo: make a copy
	//stub: return in
	if in == nil {
		return nil
	}
	return in.DeepCopy()
	//solution:end
}

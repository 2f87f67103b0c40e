// Package deepcopy copies an object so that nobody notices what becomes of the copy.
package deepcopy

import (
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
	copied := Process{TypeMeta: in.TypeMeta}
	in.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	copied.Spec.Command, copied.Spec.RestartPolicy = in.Spec.Command, in.Spec.RestartPolicy
	if in.Spec.Args != nil {
		copied.Spec.Args = append([]string{}, in.Spec.Args...)
	}
	if in.Spec.Env != nil {
		copied.Spec.Env = []EnvVar{}
		for _, variable := range in.Spec.Env {
			if variable.Value != nil {
				value := *variable.Value
				variable.Value = &value
			}
			copied.Spec.Env = append(copied.Spec.Env, variable)
		}
	}
	copied.Spec.GracePeriodSeconds = number(in.Spec.GracePeriodSeconds)
	if in.Spec.Limits != nil {
		copied.Spec.Limits = map[string]int64{}
		for name, limit := range in.Spec.Limits {
			copied.Spec.Limits[name] = limit
		}
	}
	if in.Spec.Files != nil {
		copied.Spec.Files = map[string][]string{}
		for path, lines := range in.Spec.Files {
			if lines != nil {
				lines = append([]string{}, lines...)
			}
			copied.Spec.Files[path] = lines
		}
	}
	if probe := in.Spec.Probe; probe != nil {
		copied.Spec.Probe = &Probe{PeriodSeconds: number(probe.PeriodSeconds)}
		if probe.Command != nil {
			copied.Spec.Probe.Command = make([]string, len(probe.Command))
			copy(copied.Spec.Probe.Command, probe.Command)
		}
	}
	in.Status.into(&copied.Status)
	*out = copied
}

func (in *ProcessStatus) into(out *ProcessStatus) {
	out.PID = number(in.PID)
	if in.StartedAt != nil {
		t := *in.StartedAt
		out.StartedAt = &t
	}
	if in.Conditions != nil {
		out.Conditions = make([]metav1.Condition, len(in.Conditions))
		for i := range in.Conditions {
			in.Conditions[i].DeepCopyInto(&out.Conditions[i])
		}
	}
	if in.Output != nil {
		out.Output = append([]byte{}, in.Output...)
	}
}

func number(n *int32) *int32 {
	if n == nil {
		return nil
	}
	m := *n
	return &m
}

// DeepCopy returns a new copy of in, or nil if in is nil.
func (in *Process) DeepCopy() *Process {
	if in == nil {
		return nil
	}
	out := &Process{}
	in.DeepCopyInto(out)
	return out
}

// DeepCopyObject implements runtime.Object. What it returns is a new copy of in, a *Process, and equals nil if in is
// nil.
func (in *Process) DeepCopyObject() runtime.Object {
	if in == nil {
		return nil
	}
	out := &Process{}
	in.DeepCopyInto(out)
	return out
}

// Package deepcopy copies an object so that nobody notices what becomes of the copy.
package deepcopy

import (
	"reflect"

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
	reflect.ValueOf(out).Elem().Set(deep(reflect.ValueOf(in).Elem()))
}

// deep copies any value. What it can't look into, as the fields of a time, it takes as a whole.
func deep(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Struct && v.IsZero() {
		return v
	}
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Pointer:
		out.Set(reflect.New(v.Type().Elem()))
		out.Elem().Set(deep(v.Elem()))
	case reflect.Slice:
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(deep(v.Index(i)))
		}
	case reflect.Map:
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for entries := v.MapRange(); entries.Next(); {
			out.SetMapIndex(entries.Key(), deep(entries.Value()))
		}
	case reflect.Struct:
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(deep(v.Field(i)))
			}
		}
	default:
		return v
	}
	return out
}

// DeepCopy returns a new copy of in, or nil if in is nil.
func (in *Process) DeepCopy() *Process {
	if in != nil {
		var out Process
		in.DeepCopyInto(&out)
		return &out
	}
	return nil
}

// DeepCopyObject implements runtime.Object. What it returns is a new copy of in, a *Process, and equals nil if in is
// nil.
func (in *Process) DeepCopyObject() runtime.Object {
	if out := in.DeepCopy(); out != nil {
		return out
	}
	return nil
}

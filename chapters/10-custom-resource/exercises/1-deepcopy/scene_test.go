package deepcopy_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/exercises/1-deepcopy"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// whole is a Process in which everything is set, anew in each call.
func whole() *Process {
	started := metav1.NewTime(time.Date(2026, time.May, 4, 12, 0, 0, 123456789, time.UTC))
	return &Process{
		TypeMeta: metav1.TypeMeta{Kind: "Process", APIVersion: "scratch.example.com/v1alpha1"},
		ObjectMeta: metav1.ObjectMeta{
			Name: "web", Namespace: "north", UID: "1", ResourceVersion: "7",
			Labels:      map[string]string{"app": "web"},
			Annotations: map[string]string{"note": "ours"},
			Finalizers:  []string{"scratch.example.com/process"},
			OwnerReferences: []metav1.OwnerReference{{Kind: "ProcessSet", Name: "webs", UID: "2",
				Controller: new(true)}},
			ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubectl",
				Operation: metav1.ManagedFieldsOperationApply, Time: &metav1.Time{Time: started.Time}}},
			DeletionTimestamp:          &metav1.Time{Time: started.Time},
			DeletionGracePeriodSeconds: new(int64(0)),
		},
		Spec: ProcessSpec{
			Command: "server", RestartPolicy: "Always",
			Args: []string{"-v", "-p=80"},
			Env: []EnvVar{{Name: "HOME", Value: new("/srv")}, {Name: "PATH"},
				{Name: "LANG", Value: new("")}},
			GracePeriodSeconds: new(int32(0)),
			Limits:             map[string]int64{"files": 100, "none": 0},
			Files:              map[string][]string{"motd": {"hello", "goodbye"}, "void": {}, "nil": nil},
			Probe:              &Probe{Command: []string{"curl", "localhost"}, PeriodSeconds: new(int32(5))},
		},
		Status: ProcessStatus{
			PID: new(int32(4711)), StartedAt: &started,
			Conditions: []metav1.Condition{{Type: "Ready", Status: metav1.ConditionTrue, LastTransitionTime: started}},
			Output:     []byte("listening"),
		},
	}
}

// empty is one whose slices and maps are there, and have nothing in them.
func empty() *Process {
	return &Process{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{}, Finalizers: []string{}},
		Spec: ProcessSpec{Args: []string{}, Env: []EnvVar{}, Limits: map[string]int64{}, Files: map[string][]string{},
			Probe: &Probe{Command: []string{}}},
		Status: ProcessStatus{Conditions: []metav1.Condition{}, Output: []byte{}},
	}
}

// other is a Process that shares nothing with whole, and has more of everything.
func other() *Process {
	p := whole()
	p.Labels["other"], p.Annotations["other"] = "yes", "yes"
	p.Finalizers = append(p.Finalizers, "other", "more")
	p.Spec.Args = []string{"-other", "-more", "-words"}
	p.Spec.Env = append(p.Spec.Env, EnvVar{Name: "OTHER", Value: new("yes")}, EnvVar{Name: "MORE"})
	p.Spec.Env[0].Value = new("/other")
	p.Spec.Limits = map[string]int64{"files": 1, "other": 2}
	p.Spec.Files = map[string][]string{"motd": {"other", "lines", "more"}, "other": {"lines"}}
	p.Spec.GracePeriodSeconds, p.Spec.Probe.PeriodSeconds = new(int32(77)), new(int32(77))
	p.Spec.Probe.Command = []string{"other", "more", "words"}
	p.Status.PID, p.Status.StartedAt = new(int32(77)), &metav1.Time{Time: time.Unix(77, 0)}
	p.Status.Conditions = append(p.Status.Conditions, metav1.Condition{Type: "Other"}, metav1.Condition{Type: "More"})
	p.Status.Conditions[0].Type, p.Status.Output = "Stalled", []byte("nothing to be heard here")
	return p
}

// sources are what is copied.
var sources = []struct {
	name string
	make func() *Process
}{
	{"in which nothing is set", func() *Process { return &Process{} }},
	{"in which all is set", whole},
	{"whose slices and maps have nothing in them", empty},
}

// difference is the first place in which two values are not the same, as text, or "".
func difference(path string, a, b reflect.Value) string {
	if x, ok := a.Interface().(time.Time); ok {
		if y := b.Interface().(time.Time); !x.Equal(y) {
			return fmt.Sprintf("%s should be %s, and is %s", path, x.UTC().Format(time.RFC3339Nano),
				y.UTC().Format(time.RFC3339Nano))
		}
		return ""
	}
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			if field := a.Type().Field(i); field.IsExported() {
				if d := difference(strings.TrimPrefix(path+"."+field.Name, "."), a.Field(i), b.Field(i)); d != "" {
					return d
				}
			}
		}
		return ""
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if x, y := extent(a), extent(b); x != y {
			return fmt.Sprintf("%s should be %s, and is %s", path, x, y)
		}
	default:
		if a.Interface() != b.Interface() {
			return fmt.Sprintf("%s should be %v, and is %v", path, a, b)
		}
		return ""
	}
	switch {
	case a.IsNil():
	case a.Kind() == reflect.Pointer:
		return difference(path, a.Elem(), b.Elem())
	case a.Kind() == reflect.Slice:
		for i := range a.Len() {
			if d := difference(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i)); d != "" {
				return d
			}
		}
	default:
		keys := a.MapKeys()
		slices.SortFunc(keys, func(x, y reflect.Value) int { return strings.Compare(x.String(), y.String()) })
		for _, key := range keys {
			at := fmt.Sprintf("%s[%q]", path, key)
			if !b.MapIndex(key).IsValid() {
				return at + " should be there, and is not"
			}
			if d := difference(at, a.MapIndex(key), b.MapIndex(key)); d != "" {
				return d
			}
		}
	}
	return ""
}

// extent says how much there is behind a pointer, a slice or a map: "nil", "empty", "of length 2".
func extent(v reflect.Value) string {
	switch {
	case v.IsNil():
		return "nil"
	case v.Kind() == reflect.Pointer:
		return "a pointer"
	case v.Len() == 0:
		return "empty"
	}
	return fmt.Sprintf("of length %d", v.Len())
}

// same expects that two are the same, of which the first is how it should be.
func same(t *testing.T, about string, want, got *Process, belief func(difference string) string) {
	t.Helper()
	d := difference("", reflect.ValueOf(*want), reflect.ValueOf(*got))
	v := exercise.Verdict{Expected: about, Happened: d}
	if belief != nil {
		v.PointsTo = belief(d)
	}
	exercise.Expect(t, d == "", v)
}

// A place is where one may write to a Process that is whole.
type place struct {
	name   string
	write  func(p *Process)
	belief string
}

// apart writes to a copy and to what it was made from, at each place, and expects the other one to be as it was.
func apart(t *testing.T, places []place) {
	t.Helper()
	for _, p := range places {
		for _, toCopy := range []bool{true, false} {
			in, out := whole(), &Process{}
			in.DeepCopyInto(out)
			same(t, fmt.Sprintf("a copy of a Process in which all is set: %s is as it was", p.name), whole(), out, nil)
			written, other, names := out, in, [2]string{"out", "in"}
			if !toCopy {
				written, other, names = in, out, [2]string{"in", "out"}
			}
			p.write(written)
			d := difference("", reflect.ValueOf(*whole()), reflect.ValueOf(*other))
			exercise.Expect(t, d == "", exercise.Verdict{
				Expected: fmt.Sprintf("somebody writes to %s.%s, and nothing changes in %s", names[0], p.name, names[1]),
				Happened: fmt.Sprintf("%s has changed as well: %s", names[1], p.name), PointsTo: p.belief})
		}
	}
}

package deepcopy_test

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/exercises/1-deepcopy"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestEachFieldIsCopied(t *testing.T) {
	exercise.Attempted(t)
	out := &Process{}
	whole().DeepCopyInto(out)
	same(t, "in a copy of a Process in which all is set each field is as it was", whole(), out, func(d string) string {
		switch {
		case strings.HasSuffix(d, "should be 2026-05-04T12:00:00.123456789Z, and is 2026-05-04T12:00:00Z"):
			return "the belief that what went through JSON is what it was. A metav1.Time leaves JSON with whole seconds"
		case strings.HasPrefix(d, "Status.Output should be of length"):
			return "the belief that what JSON leaves out is not part of the object"
		}
		return ""
	})
}

func TestNilAndEmpty(t *testing.T) {
	exercise.Attempted(t)
	out := &Process{}
	(&Process{}).DeepCopyInto(out)
	same(t, "in a copy of a Process in which nothing is set what is nil is nil", &Process{}, out, func(d string) string {
		if strings.HasSuffix(d, "should be nil, and is empty") {
			return "the belief that nil and empty are the same. In JSON one is null, or not there, and the other is [] or {}"
		}
		return ""
	})
	out = &Process{}
	empty().DeepCopyInto(out)
	same(t, "in a copy of a Process whose slices and maps have nothing in them what is empty is empty", empty(), out,
		func(d string) string {
			if strings.HasSuffix(d, "should be empty, and is nil") {
				return "the belief that empty and nil are the same. In JSON one is [] or {}, and the other null, or not there"
			}
			return ""
		})
}

func TestTheSpecIsItsOwn(t *testing.T) {
	exercise.Attempted(t)
	const (
		element = "the belief that a copied slice has copied what its elements lead to"
		value   = "the belief that a copied map has copied what its values lead to"
		target  = "the belief that a copied struct has copied what it leads to, if it is one behind a pointer"
	)
	apart(t, []place{
		{"Spec.Args[0]", func(p *Process) { p.Spec.Args[0] = "-q" }, ""},
		{"Spec.Env[0].Name", func(p *Process) { p.Spec.Env[0].Name = "TMP" }, ""},
		{"*Spec.Env[0].Value", func(p *Process) { *p.Spec.Env[0].Value = "/tmp" }, element},
		{"*Spec.Env[2].Value", func(p *Process) { *p.Spec.Env[2].Value = "C" }, element},
		{"*Spec.GracePeriodSeconds", func(p *Process) { *p.Spec.GracePeriodSeconds = 9 }, ""},
		{`Spec.Limits["files"]`, func(p *Process) { p.Spec.Limits["files"] = 9 }, ""},
		{`Spec.Limits["new"]`, func(p *Process) { p.Spec.Limits["new"] = 9 }, ""},
		{`Spec.Files["new"]`, func(p *Process) { p.Spec.Files["new"] = nil }, ""},
		{`Spec.Files["motd"][1]`, func(p *Process) { p.Spec.Files["motd"][1] = "again" }, value},
		{"Spec.Probe.Command", func(p *Process) { p.Spec.Probe.Command = nil }, ""},
		{"Spec.Probe.Command[0]", func(p *Process) { p.Spec.Probe.Command[0] = "wget" }, target},
		{"*Spec.Probe.PeriodSeconds", func(p *Process) { *p.Spec.Probe.PeriodSeconds = 9 }, target},
	})
}

func TestTheStatusIsItsOwn(t *testing.T) {
	exercise.Attempted(t)
	apart(t, []place{
		{"*Status.PID", func(p *Process) { *p.Status.PID = 9 }, ""},
		{"*Status.StartedAt", func(p *Process) { p.Status.StartedAt.Time = time.Unix(9, 0) },
			"the belief that a time can be shared, since nobody changes one. Its pointer leads to a variable like any other"},
		{"Status.Conditions[0].Status", func(p *Process) { p.Status.Conditions[0].Status = metav1.ConditionFalse }, ""},
		{"Status.Output[0]", func(p *Process) { p.Status.Output[0] = 'L' }, ""},
	})
}

func TestTheMetadataIsItsOwn(t *testing.T) {
	exercise.Attempted(t)
	const own = "the belief that metadata is names and numbers. It has maps, slices and pointers of its own"
	apart(t, []place{
		{`Labels["app"]`, func(p *Process) { p.Labels["app"] = "db" }, own},
		{`Annotations["new"]`, func(p *Process) { p.Annotations["new"] = "theirs" }, own},
		{"Finalizers[0]", func(p *Process) { p.Finalizers[0] = "none" }, ""},
		{"OwnerReferences[0].Name", func(p *Process) { p.OwnerReferences[0].Name = "other" }, ""},
		{"*OwnerReferences[0].Controller", func(p *Process) { *p.OwnerReferences[0].Controller = false }, ""},
		{"ManagedFields[0].Manager", func(p *Process) { p.ManagedFields[0].Manager = "other" }, ""},
		{"*ManagedFields[0].Time", func(p *Process) { p.ManagedFields[0].Time.Time = time.Unix(9, 0) }, ""},
		{"*DeletionTimestamp", func(p *Process) { p.DeletionTimestamp.Time = time.Unix(9, 0) }, ""},
		{"*DeletionGracePeriodSeconds", func(p *Process) { *p.DeletionGracePeriodSeconds = 9 }, ""},
	})
}

func TestNothingIsLeftOfWhatThereWas(t *testing.T) {
	exercise.Attempted(t)
	left := func(d string) string {
		if strings.HasSuffix(d, "should be nil, and is empty") || strings.HasSuffix(d, "should be empty, and is nil") {
			return ""
		}
		return "the belief that out is empty. A loop may copy each object into the same variable"
	}
	for _, from := range sources {
		out := other()
		from.make().DeepCopyInto(out)
		same(t, fmt.Sprintf("out was another Process, and becomes a copy of one %s", from.name), from.make(), out, left)
	}
}

func TestWhatOutLedToIsNotWrittenTo(t *testing.T) {
	exercise.Attempted(t)
	out := other()
	before := *out // somebody else has it, too
	whole().DeepCopyInto(out)
	same(t, "somebody has a plain copy of what out was, and whole is copied into out: theirs stays as it was", other(), &before,
		func(string) string {
			return "the belief that what out leads to is out's. Somebody else may have the same slice or map"
		})
	in := whole()
	plain := *in
	in.DeepCopyInto(&plain)
	same(t, "out is a plain copy of in, and in is copied into it: in stays as it was", whole(), in, nil)
	same(t, "out is a plain copy of in, and in is copied into it: out is a copy of in", whole(), &plain, nil)
	in.Spec.Args[0], in.Spec.Limits["files"], *in.Spec.Env[0].Value = "-q", 9, "/tmp"
	in.Labels["app"], *in.Status.PID = "db", 9
	same(t, "out was a plain copy of in, and in was copied into it: somebody writes to in, and nothing changes in out", whole(), &plain, nil)
}

func TestTheOriginalIsOnlyRead(t *testing.T) {
	exercise.Attempted(t)
	for _, from := range sources {
		original := from.make()
		var readers sync.WaitGroup
		for range 10 {
			readers.Go(func() {
				_ = original.DeepCopy()
				original.DeepCopyInto(&Process{})
			})
		}
		readers.Wait()
		same(t, fmt.Sprintf("a Process %s is copied, and stays as it was", from.name), from.make(), original, nil)
	}
}

func TestRoomIsItsOwn(t *testing.T) {
	exercise.Attempted(t)
	const room = "the belief that a slice with nothing in it leads nowhere. Behind its end there may be room, and " +
		"append writes there"
	for _, length := range []int{0, 1} {
		in, out := &Process{}, &Process{}
		in.Spec.Args, in.Spec.Env = make([]string, length, 4), make([]EnvVar, length, 4)
		in.Spec.Probe = &Probe{Command: make([]string, length, 4)}
		in.Status.Output, in.Status.Conditions = make([]byte, length, 4), make([]metav1.Condition, length, 4)
		in.DeepCopyInto(out)
		same(t, fmt.Sprintf("a copy of slices of length %d, which have room for more", length), in, out, nil)
		_ = append(out.Spec.Args, "-q")
		_ = append(out.Spec.Env, EnvVar{Name: "TMP"})
		_ = append(out.Spec.Probe.Command, "wget")
		_ = append(out.Status.Output, 'L')
		_ = append(out.Status.Conditions, metav1.Condition{Type: "Ready"})
		for _, slice := range []struct {
			name    string
			written bool
		}{
			{"Spec.Args", in.Spec.Args[:length+1][length] != ""},
			{"Spec.Env", in.Spec.Env[:length+1][length].Name != ""},
			{"Spec.Probe.Command", in.Spec.Probe.Command[:length+1][length] != ""},
			{"Status.Output", in.Status.Output[:length+1][length] != 0},
			{"Status.Conditions", in.Status.Conditions[:length+1][length].Type != ""},
		} {
			exercise.Expect(t, !slice.written, exercise.Verdict{
				Expected: fmt.Sprintf("%s has length %d and room for more; somebody appends to the copy's, and nothing is written "+
					"to in's room", slice.name, length),
				Happened: "the new element stands behind the end of in's",
				PointsTo: map[bool]string{true: room}[length == 0]})
		}
	}
}

func TestDeepCopy(t *testing.T) {
	exercise.Attempted(t)
	in := whole()
	for i, copied := range []runtime.Object{in.DeepCopy(), in.DeepCopyObject()} {
		call := []string{"DeepCopy", "DeepCopyObject"}[i]
		out, ok := copied.(*Process)
		exercise.Expect(t, ok && out != nil && out != in, exercise.Verdict{Expected: call + " returns another *Process",
			Happened: fmt.Sprintf("a %T: nil: %t, the same one: %t", copied, ok && out == nil, out == in)})
		same(t, call+" returns a copy", in, out, nil)
		out.Spec.Args[0], out.Spec.Files["motd"][0], out.Labels["app"] = "-q", "again", "db"
		same(t, fmt.Sprintf("somebody writes to what %s has returned: in stays as it was", call), whole(), in, nil)
	}
}

func TestNil(t *testing.T) {
	exercise.Attempted(t)
	var in *Process
	out := in.DeepCopy()
	exercise.Expect(t, out == nil, exercise.Verdict{
		Expected: "DeepCopy of a nil *Process: nil", Happened: "a Process that is not nil"})
	object := in.DeepCopyObject()
	exercise.Expect(t, object == nil, exercise.Verdict{
		Expected: "DeepCopyObject of a nil *Process equals nil",
		Happened: fmt.Sprintf("it is a %T, and not nil", object),
		PointsTo: typed(object),
	})
}

// typed is a belief about an interface that has a type and no value.
func typed(object runtime.Object) string {
	if object != nil && reflect.ValueOf(object).IsNil() {
		return "the belief that an interface with a nil pointer in it is nil. It has a type, and so it is not"
	}
	return ""
}

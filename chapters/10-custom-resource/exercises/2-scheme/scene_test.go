package scheme_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/exercises/2-scheme"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// Mouse and Owl are types of their own.
type (
	Mouse struct {
		metav1.TypeMeta
		Food string
	}
	Owl struct {
		metav1.TypeMeta
		Food string
	}
)

// DeepCopyObject implements runtime.Object.
func (m *Mouse) DeepCopyObject() runtime.Object { out := *m; return &out }

// DeepCopyObject implements runtime.Object.
func (o *Owl) DeepCopyObject() runtime.Object { out := *o; return &out }

// anotherProcess is of a type that is called like the exercise's.
func anotherProcess() runtime.Object {
	type Process struct{ Mouse }
	return &Process{}
}

// processOfItsOwn is of a type that even reflection calls like anotherProcess's.
func processOfItsOwn() runtime.Object {
	type Process struct{ Mouse }
	return &Process{}
}

// The group versions of the tests' kinds.
var (
	zoo  = schema.GroupVersion{Group: "zoo.example.com", Version: "v1"}
	zoo2 = schema.GroupVersion{Group: "zoo.example.com", Version: "v2"}
	farm = schema.GroupVersion{Group: "farm.example.com", Version: "v1"}
	pets = schema.GroupVersion{Group: "pets.example.com", Version: "v1"}
)

// nothing is what an unknown type or kind has.
const nothing = "not registered"

// kindsOf asks for an object's kinds: "zoo.example.com/v1 Mouse, zoo.example.com/v1 Rat".
func kindsOf(s *Scheme, object runtime.Object) (text string) {
	defer caught(&text)
	kinds, err := s.ObjectKinds(object)
	switch {
	case runtime.IsNotRegisteredError(err):
		return nothing
	case err != nil:
		return fmt.Sprintf("an error: %v", err)
	case len(kinds) == 0:
		return "none, and no error"
	}
	var all []string
	for _, kind := range kinds {
		all = append(all, kind.GroupVersion().String()+" "+kind.Kind)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// made asks for a new object, and says what it is.
func made(s *Scheme, kind schema.GroupVersionKind) (text string) {
	defer caught(&text)
	object, err := s.New(kind)
	switch {
	case runtime.IsNotRegisteredError(err):
		return nothing
	case err != nil:
		return fmt.Sprintf("an error: %v", err)
	}
	return described(object)
}

// described is an object's type, and what is set in it: "*scheme.Process", "*scheme_test.Mouse with Food cheese".
func described(object runtime.Object) string {
	switch object := object.(type) {
	case nil:
		return "nil, and no error"
	case *Process:
		if object == nil {
			return "a nil *scheme.Process"
		}
		if text := asJSON(object); text != asJSON(&Process{}) {
			return "*scheme.Process with " + text
		}
	case *Mouse:
		if object == nil {
			return "a nil *scheme_test.Mouse"
		}
		if *object != (Mouse{}) {
			return "*scheme_test.Mouse with " + asJSON(object)
		}
	}
	return fmt.Sprintf("%T", object)
}

// registered tells whether a registration panicked.
func registered(register func()) (text string) {
	defer caught(&text)
	register()
	return "no panic"
}

// caught makes a text of a panic.
func caught(text *string) {
	if p := recover(); p != nil {
		*text = fmt.Sprintf("a panic: %v", p)
	}
}

func asJSON(object any) string {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// clues are beliefs, by what singles them out.
type clues map[string]string

// has expects an object's kinds.
func has(t *testing.T, s *Scheme, about string, object runtime.Object, want string, clues clues) {
	t.Helper()
	got := kindsOf(s, object)
	exercise.Expect(t, got == want, exercise.Verdict{
		Expected: fmt.Sprintf("%s: ObjectKinds of a %T: %s", about, object, want),
		Happened: got, PointsTo: clues[got]})
}

// makes expects what New returns for a kind.
func makes(t *testing.T, s *Scheme, about string, kind schema.GroupVersionKind, want string, clues clues) {
	t.Helper()
	got := made(s, kind)
	exercise.Expect(t, got == want, exercise.Verdict{
		Expected: fmt.Sprintf("%s: New of %s %s: %s", about, kind.GroupVersion(), kind.Kind, want),
		Happened: got, PointsTo: clues[got]})
}

// becomes expects what Default makes of an object, of which the spec counts.
func becomes(t *testing.T, object runtime.Object, want string, clues clues) {
	t.Helper()
	s := New()
	AddToScheme(s)
	before := specs(object)
	s.Default(object)
	got := specs(object)
	exercise.Expect(t, got == want, exercise.Verdict{
		Expected: fmt.Sprintf("Default makes %s of a %T with %s", want, object, before),
		Happened: got, PointsTo: clues[got]})
}

// specs are what Default is about, as text: {Always, 10 s, probes each 5 s, 0 s}.
func specs(object runtime.Object) string {
	switch object := object.(type) {
	case *Process:
		policy := object.Spec.RestartPolicy
		if policy == "" {
			policy = "no policy"
		}
		text := policy + ", " + seconds(object.Spec.GracePeriodSeconds)
		for _, p := range object.Spec.Probes {
			text += ", a probe each " + seconds(p.PeriodSeconds)
		}
		return "{" + text + "}"
	case *ProcessList:
		var all []string
		for i := range object.Items {
			all = append(all, specs(&object.Items[i]))
		}
		return "[" + strings.Join(all, " ") + "]"
	}
	return fmt.Sprintf("%T", object)
}

func seconds(s *int32) string {
	if s == nil {
		return "nil"
	}
	return fmt.Sprintf("%d s", *s)
}

// process is one with a policy, seconds and probes; -1 stands for nil.
func process(policy string, grace int32, periods ...int32) Process {
	pointer := func(seconds int32) *int32 {
		if seconds < 0 {
			return nil
		}
		return &seconds
	}
	p := Process{Spec: ProcessSpec{Command: "sleep", RestartPolicy: policy, GracePeriodSeconds: pointer(grace)}}
	for _, period := range periods {
		p.Spec.Probes = append(p.Spec.Probes, Probe{Port: 80, PeriodSeconds: pointer(period)})
	}
	return p
}

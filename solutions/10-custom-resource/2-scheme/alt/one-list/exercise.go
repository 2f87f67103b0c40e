// Package scheme knows which Go type each kind has, and what an object means that leaves something out.
package scheme

import (
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A Scheme holds Go types by kind. Its fields may be changed.
//
//   - A type is registered by an example, a pointer to a struct. The example counts for its Go type, and nothing in it
//     has a say.
//   - Two types are two, also if both are called Process: they are of two packages, or of two functions.
//   - All is registered by one goroutine. After that any number of goroutines may call ObjectKinds, New and Default.
//   - What one Scheme knows no other does.
type Scheme struct {
	known []entry
	fill  []filler
}

// New makes a Scheme that knows nothing.
func New() *Scheme {
	return &Scheme{}
}

// AddKnownTypes registers each example's type in a group version, under the kind that the struct is called. No other
// kind is registered.
func (s *Scheme) AddKnownTypes(gv schema.GroupVersion, examples ...runtime.Object) {
	for _, example := range examples {
		s.AddKnownTypeWithName(gv.WithKind(reflect.Indirect(reflect.ValueOf(example)).Type().Name()), example)
	}
}

// AddKnownTypeWithName registers the example's type under a kind, whatever the struct is called.
//
//   - A type may be registered under several kinds, of one group version or of several. It has all of them.
//   - A type that is registered under a kind once more has it once, as before.
//   - A kind that another type has stays that type's, and AddKnownTypeWithName panics.
func (s *Scheme) AddKnownTypeWithName(kind schema.GroupVersionKind, example runtime.Object) {
	e := entry{kind, reflect.TypeOf(example)}
	if slices.Contains(s.known, e) {
		return
	}
	if _, err := s.New(kind); err == nil {
		panic("two types want to be " + kind.String())
	}
	s.known = append(s.known, e)
}

// ObjectKinds returns the kinds of an object: those under which its type is registered, each once, in any order.
//
//   - What the object's own TypeMeta says has no say: it is empty in most objects, and wrong in some.
//   - The slice is the caller's.
//   - If there are none, the error is one that runtime.IsNotRegisteredError recognises.
func (s *Scheme) ObjectKinds(object runtime.Object) ([]schema.GroupVersionKind, error) {
	var kinds []schema.GroupVersionKind
	for _, e := range slices.Backward(s.known) {
		if e.pointer == reflect.TypeOf(object) {
			kinds = append(kinds, e.kind)
		}
	}
	if kinds == nil {
		return nil, runtime.NewNotRegisteredErrForType("a list", reflect.TypeOf(object))
	}
	return kinds, nil
}

// New returns a pointer to a new struct of the kind's type.
//
//   - Each call returns another one, in which nothing is set.
//   - If the kind is not registered, the error is one that runtime.IsNotRegisteredError recognises.
func (s *Scheme) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	for _, e := range s.known {
		if e.kind == kind {
			return reflect.New(e.pointer.Elem()).Interface().(runtime.Object), nil
		}
	}
	return nil, runtime.NewNotRegisteredErrForKind("a list", kind)
}

// AddTypeDefaultingFunc has Default call fill for each object of the example's type. If there was a function for the
// type, fill takes its place.
func (s *Scheme) AddTypeDefaultingFunc(example runtime.Object, fill func(object any)) {
	s.fill = append(s.fill, filler{reflect.TypeOf(example), fill})
}

// Default calls the function that was added for the object's type, with the object itself. Without one, nothing
// happens. It makes no difference whether the type is registered.
func (s *Scheme) Default(object runtime.Object) {
	for _, f := range slices.Backward(s.fill) {
		if f.pointer == reflect.TypeOf(object) {
			f.fill(object)
			return
		}
	}
}

// GroupVersion is what the kinds below are in.
var GroupVersion = schema.GroupVersion{Group: "scratch.example.com", Version: "v1alpha1"}

// AddToScheme registers Process and ProcessList in GroupVersion, and adds a function for each, by which Default fills
// in what nobody has set:
//
//   - The RestartPolicy of a Process is Always.
//   - Its GracePeriodSeconds are 10.
//   - The PeriodSeconds of each of its Probes are 5.
//   - The same goes for each Process of a ProcessList.
//   - What is set stays as it is. A pointer that is not nil is set, also to 0.
//   - Each pointer that is filled in points to a variable of its own.
func AddToScheme(s *Scheme) {
	fill := func(object any) {
		p := &object.(*Process).Spec
		if p.RestartPolicy == "" {
			p.RestartPolicy = "Always"
		}
		if p.GracePeriodSeconds == nil {
			p.GracePeriodSeconds = new(int32(10))
		}
		for i, probe := range p.Probes {
			if probe.PeriodSeconds == nil {
				p.Probes[i] = Probe{Port: probe.Port, PeriodSeconds: new(int32(5))}
			}
		}
	}
	s.AddTypeDefaultingFunc(new(Process), fill)
	s.AddTypeDefaultingFunc(new(ProcessList), func(object any) {
		for i, p := range object.(*ProcessList).Items {
			fill(&p)
			object.(*ProcessList).Items[i] = p
		}
	})
	s.AddKnownTypes(GroupVersion, new(ProcessList))
	s.AddKnownTypes(GroupVersion, new(Process))
}

type entry struct {
	kind    schema.GroupVersionKind
	pointer reflect.Type
}

type filler struct {
	pointer reflect.Type
	fill    func(any)
}

// Process is a process of the operating system.
type Process struct {
	metav1.TypeMeta   `json:""`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ProcessSpec `json:"spec"`
}

// ProcessSpec says what is to run.
type ProcessSpec struct {
	Command            string  `json:"command"`
	RestartPolicy      string  `json:"restartPolicy,omitempty"`      // Always, OnFailure or Never
	GracePeriodSeconds *int32  `json:"gracePeriodSeconds,omitempty"` // between SIGTERM and SIGKILL
	Probes             []Probe `json:"probes,omitempty"`
}

// Probe asks a process whether it is well.
type Probe struct {
	Port          int32  `json:"port"`
	PeriodSeconds *int32 `json:"periodSeconds,omitempty"` // between two questions
}

// ProcessList is several Processes.
type ProcessList struct {
	metav1.TypeMeta `json:""`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Process `json:"items"`
}

// DeepCopyObject implements runtime.Object.
func (p *Process) DeepCopyObject() runtime.Object {
	out := *p
	p.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	if seconds := p.Spec.GracePeriodSeconds; seconds != nil {
		out.Spec.GracePeriodSeconds = new(*seconds)
	}
	out.Spec.Probes = slices.Clone(p.Spec.Probes)
	for i, probe := range out.Spec.Probes {
		if probe.PeriodSeconds != nil {
			out.Spec.Probes[i].PeriodSeconds = new(*probe.PeriodSeconds)
		}
	}
	return &out
}

// DeepCopyObject implements runtime.Object.
func (l *ProcessList) DeepCopyObject() runtime.Object {
	out := *l
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = slices.Clone(l.Items)
	for i := range out.Items {
		out.Items[i] = *l.Items[i].DeepCopyObject().(*Process)
	}
	return &out
}

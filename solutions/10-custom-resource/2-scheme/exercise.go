// Package scheme knows which Go type each kind has, and what an object means that leaves something out.
package scheme

import (
	"fmt"
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

//solution:forbidden k8s.io/apimachinery/pkg/runtime.NewScheme

// A Scheme holds Go types by kind. Its fields may be changed.
//
//   - A type is registered by an example, a pointer to a struct. The example counts for its Go type, and nothing in it
//     has a say.
//   - Two types are two, also if both are called Process: they are of two packages, or of two functions.
//   - All is registered by one goroutine. After that any number of goroutines may call ObjectKinds, New and Default.
//   - What one Scheme knows no other does.
type Scheme struct {
	//solution:begin
	//todo: add what it knows
	types    map[schema.GroupVersionKind]reflect.Type // of the structs
	kinds    map[reflect.Type][]schema.GroupVersionKind
	defaults map[reflect.Type]func(object any)
	//solution:end
}

// New makes a Scheme that knows nothing.
func New() *Scheme {
	//solution:begin
	//stub: return &Scheme{}
	return &Scheme{
		types:    map[schema.GroupVersionKind]reflect.Type{},
		kinds:    map[reflect.Type][]schema.GroupVersionKind{},
		defaults: map[reflect.Type]func(any){},
	}
	//solution:end
}

// AddKnownTypes registers each example's type in a group version, under the kind that the struct is called. No other
// kind is registered.
func (s *Scheme) AddKnownTypes(gv schema.GroupVersion, examples ...runtime.Object) {
	//solution:begin
	//todo: register each
	//stub: _ = reflect.TypeOf(s)
	for _, example := range examples {
		s.AddKnownTypeWithName(gv.WithKind(structOf(example).Name()), example)
	}
	//solution:end
}

// AddKnownTypeWithName registers the example's type under a kind, whatever the struct is called.
//
//   - A type may be registered under several kinds, of one group version or of several. It has all of them.
//   - A type that is registered under a kind once more has it once, as before.
//   - A kind that another type has stays that type's, and AddKnownTypeWithName panics.
func (s *Scheme) AddKnownTypeWithName(kind schema.GroupVersionKind, example runtime.Object) {
	//solution:begin
	//todo: register it
	t := structOf(example)
	if known, ok := s.types[kind]; ok {
		if known != t {
			panic(fmt.Sprintf("%s is %s's, and can't be %s's", kind, known, t))
		}
		return
	}
	s.types[kind] = t
	s.kinds[t] = append(s.kinds[t], kind)
	//solution:end
}

// ObjectKinds returns the kinds of an object: those under which its type is registered, each once, in any order.
//
//   - What the object's own TypeMeta says has no say: it is empty in most objects, and wrong in some.
//   - The slice is the caller's.
//   - If there are none, the error is one that runtime.IsNotRegisteredError recognises.
func (s *Scheme) ObjectKinds(object runtime.Object) ([]schema.GroupVersionKind, error) {
	//solution:begin
	//todo: look them up
	//stub: return nil, fmt.Errorf("nobody knows the kinds of %T yet", object)
	kinds := s.kinds[structOf(object)]
	if len(kinds) == 0 {
		return nil, runtime.NewNotRegisteredErrForType("exercise", structOf(object))
	}
	return slices.Clone(kinds), nil
	//solution:end
}

// New returns a pointer to a new struct of the kind's type.
//
//   - Each call returns another one, in which nothing is set.
//   - If the kind is not registered, the error is one that runtime.IsNotRegisteredError recognises.
func (s *Scheme) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	//solution:begin
	//todo: make one
	//stub: return nil, fmt.Errorf("nobody makes a %s yet", kind)
	t, ok := s.types[kind]
	if !ok {
		return nil, runtime.NewNotRegisteredErrForKind("exercise", kind)
	}
	return reflect.New(t).Interface().(runtime.Object), nil
	//solution:end
}

// AddTypeDefaultingFunc has Default call fill for each object of the example's type. If there was a function for the
// type, fill takes its place.
func (s *Scheme) AddTypeDefaultingFunc(example runtime.Object, fill func(object any)) {
	//solution:begin
	//todo: keep it
	s.defaults[structOf(example)] = fill
	//solution:end
}

// Default calls the function that was added for the object's type, with the object itself. Without one, nothing
// happens. It makes no difference whether the type is registered.
func (s *Scheme) Default(object runtime.Object) {
	//solution:begin
	//todo: call it
	if fill, ok := s.defaults[structOf(object)]; ok {
		fill(object)
	}
	//solution:end
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
	//solution:begin
	//todo: register the types and what fills them in
	s.AddKnownTypes(GroupVersion, &Process{}, &ProcessList{})
	s.AddTypeDefaultingFunc(&Process{}, func(object any) { fillProcess(object.(*Process)) })
	s.AddTypeDefaultingFunc(&ProcessList{}, func(object any) { fillList(object.(*ProcessList)) })
	//solution:end
}

//solution:begin

func structOf(object runtime.Object) reflect.Type { return reflect.TypeOf(object).Elem() }

func fillProcess(p *Process) {
	if p.Spec.RestartPolicy == "" {
		p.Spec.RestartPolicy = "Always"
	}
	fillSeconds(&p.Spec.GracePeriodSeconds, 10)
	for i := range p.Spec.Probes {
		fillSeconds(&p.Spec.Probes[i].PeriodSeconds, 5)
	}
}

func fillList(list *ProcessList) {
	for i := range list.Items {
		fillProcess(&list.Items[i])
	}
}

func fillSeconds(field **int32, seconds int32) {
	if *field == nil {
		*field = &seconds
	}
}

//solution:end

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

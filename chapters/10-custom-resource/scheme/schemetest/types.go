package schemetest

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The group versions of the suite.
var (
	toys  = schema.GroupVersion{Group: "toys.example.com", Version: "v1"}
	tools = schema.GroupVersion{Group: "tools.example.com", Version: "v1beta1"}
)

// Doll is a type that nobody else registers.
type Doll struct {
	metav1.TypeMeta
	Name string
}

// DeepCopyObject implements [runtime.Object].
func (d *Doll) DeepCopyObject() runtime.Object {
	c := *d
	return &c
}

// Kite is another one.
type Kite struct {
	metav1.TypeMeta
	Name string
}

// DeepCopyObject implements [runtime.Object].
func (k *Kite) DeepCopyObject() runtime.Object {
	c := *k
	return &c
}

// Value is an object that is no pointer.
type Value struct{ *Doll }

// DeepCopyObject implements [runtime.Object].
func (v Value) DeepCopyObject() runtime.Object { return v }

// Text is an object whose pointer points to no struct.
type Text string

// GetObjectKind implements [runtime.Object].
func (*Text) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// DeepCopyObject implements [runtime.Object].
func (t *Text) DeepCopyObject() runtime.Object { return t }

package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group of the book's kinds, and this version of it.
var GroupVersion = schema.GroupVersion{Group: "scratch.example.com", Version: "v1alpha1"}

// SchemeGroupVersion is GroupVersion under the name that generated code uses.
var SchemeGroupVersion = GroupVersion

// AddToScheme teaches a scheme the kinds of this package. It never fails on a scheme that has none of them.
//
// Upstream's counterpart is the function of this name in each package below k8s.io/api.
var AddToScheme = builder.AddToScheme

var builder = runtime.NewSchemeBuilder(func(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &Process{}, &ProcessList{}, &ProcessSet{}, &ProcessSetList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
})

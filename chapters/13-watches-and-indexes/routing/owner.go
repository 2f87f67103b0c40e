package routing

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// OwnerOption says which owners are meant.
type OwnerOption func(*owner)

// OnlyController has the owner alone that is the object's controller. It is what a builder's Owns does unless told
// builder.MatchEveryOwner.
func OnlyController() OwnerOption { return func(w *owner) { w.onlyController = true } }

// owner finds an object's owners of one kind.
type owner struct {
	kind           schema.GroupKind
	namespaced     bool
	onlyController bool
}

// Owner makes a handler that answers an event with the keys of the object's owners of a kind: what a builder's Owns
// does. A reference has no namespace. An owner is in that of the object, or in none if its kind is not namespaced,
// which the mapper knows. It is asked here, so that the owner's kind has to be served when the handler is made.
//
// A reference's group has to be that of the kind, and its version may be any: a reference stays as it was written, and
// the kind moves on.
//
// Upstream's counterpart is handler.EnqueueRequestForOwner, in controller-runtime's pkg/handler/enqueue_owner.go. It
// asks the mapper at each event, for the version that the reference has. If that is no longer served, it logs so, and
// there is no key.
func Owner(scheme *runtime.Scheme, mapper meta.RESTMapper, kind client.Object, options ...OwnerOption) (*Handler,
	error) {
	gvk, err := apiutil.GVKForObject(kind, scheme)
	if err != nil {
		return nil, fmt.Errorf("the kind of the owner: %w", err)
	}
	w := &owner{kind: gvk.GroupKind()}
	mapping, err := mapper.RESTMapping(w.kind, gvk.Version)
	if err != nil {
		return nil, fmt.Errorf("whether the owner is in a namespace: %w", err)
	}
	w.namespaced = mapping.Scope.Name() == meta.RESTScopeNameNamespace
	for _, o := range options {
		o(w)
	}
	return &Handler{keys: w.of}, nil
}

// of is the keys of an object's owners.
func (w *owner) of(_ context.Context, o client.Object) (keys []reconcile.Request) {
	references := o.GetOwnerReferences()
	if w.onlyController {
		i := slices.IndexFunc(references, func(r metav1.OwnerReference) bool { return ptr.Deref(r.Controller, false) })
		if i < 0 {
			return nil
		}
		references = references[i : i+1] // the API server lets there be one
	}
	for _, reference := range references {
		gv, err := schema.ParseGroupVersion(reference.APIVersion)
		if err != nil || reference.Kind != w.kind.Kind || gv.Group != w.kind.Group {
			continue // of another kind; no API server takes what can't be parsed
		}
		key := client.ObjectKey{Name: reference.Name}
		if w.namespaced {
			key.Namespace = o.GetNamespace()
		}
		keys = append(keys, reconcile.Request{NamespacedName: key})
	}
	return keys
}

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	kinds "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	writing "github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	names "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/exercises/2-names"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// A shop is the set shop and what makes its Processes: the Server of the reader's Create.
type shop struct {
	lab  *lab.Lab
	over client.Client
	set  *v1alpha1.ProcessSet
}

// newShop makes the set, which nobody's controller looks after.
func newShop(ctx context.Context, l *lab.Lab) (*shop, error) {
	installer, err := dynamic.NewForConfigAndClient(kinds.Config(l), l.HTTPClient())
	if err != nil {
		return nil, err
	}
	if err := install.CRDs(ctx, installer); err != nil {
		return nil, err
	}
	over, err := client.New(kinds.Config(l), client.Options{HTTPClient: l.HTTPClient(), Scheme: writing.Known()})
	if err != nil {
		return nil, err
	}
	labels := map[string]string{"app": "shop"}
	set := &v1alpha1.ProcessSet{ObjectMeta: metav1.ObjectMeta{Namespace: l.Namespace, Name: "shop"},
		Spec: v1alpha1.ProcessSetSpec{Selector: labels, Template: v1alpha1.ProcessTemplate{Labels: labels,
			Spec: v1alpha1.ProcessSpec{Command: "sleep"}}}}
	return &shop{lab: l, over: over, set: set}, over.Create(ctx, set)
}

func (s *shop) owner() names.Owner { return names.Owner{Name: s.set.Name, UID: s.set.UID} }

// process is one with a name of the set's.
func (s *shop) process(name string, owners ...metav1.OwnerReference) *v1alpha1.Process {
	return &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: s.lab.Namespace, Name: name,
		Labels: s.set.Spec.Template.Labels, OwnerReferences: owners}, Spec: s.set.Spec.Template.Spec}
}

// Create implements names.Server.
func (s *shop) Create(ctx context.Context, name string) error {
	s.lab.Sent("create %s", name)
	owner := metav1.NewControllerRef(s.set, v1alpha1.GroupVersion.WithKind("ProcessSet"))
	err := s.over.Create(ctx, s.process(name, *owner))
	s.answered(err, "201")
	return err
}

// Get implements names.Server.
func (s *shop) Get(ctx context.Context, name string) (*metav1.PartialObjectMetadata, error) {
	s.lab.Sent("get %s", name)
	there := &metav1.PartialObjectMetadata{}
	there.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Process"))
	err := s.over.Get(ctx, client.ObjectKey{Namespace: s.lab.Namespace, Name: name}, there)
	whose := "which has no controller"
	if by := metav1.GetControllerOf(there); by != nil {
		whose = "whose controller is " + by.Name
	}
	if there.DeletionTimestamp != nil {
		whose += ", and which is being deleted"
	}
	s.answered(err, "200: a Process "+whose)
	return there, err
}

// answered shows what the API server has answered.
func (s *shop) answered(err error, good string) {
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		s.lab.Wire("%d %s: %s", status.Status().Code, status.Status().Reason, status.Status().Message)
	} else if err == nil {
		s.lab.Wire("%s", good)
	}
}

// children are those that the API server has, some of which a late cache leaves out.
func (s *shop) children(ctx context.Context, unseen ...string) (all []*metav1.PartialObjectMetadata, err error) {
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("ProcessList"))
	if err := s.over.List(ctx, list, client.InNamespace(s.lab.Namespace)); err != nil {
		return nil, err
	}
	for i := range list.Items {
		if one := &list.Items[i]; metav1.IsControlledBy(one, s.set) && !slices.Contains(unseen, one.Name) {
			all = append(all, one)
		}
	}
	return all, nil
}

// clear takes the finalizer off and deletes what the step has made, since the next one counts its own Processes.
func (s *shop) clear(ctx context.Context, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	off := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
	if err := s.over.Patch(ctx, s.process("shop-1"), off); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("taking the finalizer off: %w", err)
	}
	if err := s.over.DeleteAllOf(ctx, &v1alpha1.Process{}, client.InNamespace(s.lab.Namespace),
		client.MatchingLabels(s.set.Spec.Template.Labels)); err != nil {
		return err
	}
	return s.over.Delete(ctx, s.set)
}

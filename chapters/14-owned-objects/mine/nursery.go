package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	kinds "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	writing "github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	claim "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/exercises/3-claim"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// collected is how long the garbage collector may take. It looks for new kinds every thirty seconds.
const collected = 90 * time.Second

// A nursery has two sets, and Processes that nobody runs. It is the API that Claim asks.
type nursery struct {
	client.Client
	lab *lab.Lab
}

func newNursery(ctx context.Context, l *lab.Lab) (*nursery, error) {
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
	s := &nursery{over, l}
	web, db := s.set("web"), s.set("db")
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: l.Namespace, Name: "config"}}
	for _, o := range []client.Object{web, db, config} {
		if err := over.Create(ctx, o); err != nil {
			return nil, err
		}
	}
	by := func(set *v1alpha1.ProcessSet) metav1.OwnerReference {
		return *metav1.NewControllerRef(set, v1alpha1.GroupVersion.WithKind("ProcessSet"))
	}
	for _, p := range []*v1alpha1.Process{
		s.process("web-0", "web", by(web)),
		s.process("relabelled", "debug", by(web)),
		s.process("orphan", "web",
			metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "config", UID: config.UID}),
		s.process("stranger", "web", by(db)),
	} {
		if err := over.Create(ctx, p); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// set is one that nobody's controller looks after. All select the same.
func (s *nursery) set(name string) *v1alpha1.ProcessSet {
	return &v1alpha1.ProcessSet{ObjectMeta: metav1.ObjectMeta{Namespace: s.lab.Namespace, Name: name},
		Spec: v1alpha1.ProcessSetSpec{Selector: selected, Template: v1alpha1.ProcessTemplate{Labels: selected,
			Spec: v1alpha1.ProcessSpec{Command: "sleep"}}}}
}

func (s *nursery) process(name, app string, owners ...metav1.OwnerReference) *v1alpha1.Process {
	return &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: s.lab.Namespace, Name: name,
		Labels: map[string]string{"app": app}, OwnerReferences: owners}, Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
}

// Live implements claim.API.
func (s *nursery) Live(ctx context.Context) (*metav1.PartialObjectMetadata, error) {
	set := &metav1.PartialObjectMetadata{}
	set.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("ProcessSet"))
	err := s.Get(ctx, client.ObjectKey{Namespace: s.lab.Namespace, Name: "web"}, set)
	return set, err
}

// SetOwners implements claim.API.
func (s *nursery) SetOwners(ctx context.Context, child *metav1.PartialObjectMetadata,
	references []metav1.OwnerReference) error {
	how, body, err := claim.Patch(child, references)
	if err != nil {
		return err
	}
	written := &metav1.PartialObjectMetadata{}
	written.Namespace, written.Name = child.Namespace, child.Name
	written.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Process"))
	return s.Patch(ctx, written, client.RawPatch(how, body))
}

// children are all Processes by their names.
func (s *nursery) children(ctx context.Context) (map[string]*metav1.PartialObjectMetadata, error) {
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("ProcessList"))
	if err := s.List(ctx, list, client.InNamespace(s.lab.Namespace)); err != nil {
		return nil, err
	}
	all := map[string]*metav1.PartialObjectMetadata{}
	for i := range list.Items {
		all[list.Items[i].Name] = &list.Items[i]
	}
	return all, nil
}

// owners are the names in a child's references, the controller's too.
func owners(child *metav1.PartialObjectMetadata) string {
	var names []string
	for _, reference := range child.OwnerReferences {
		names = append(names, reference.Name)
	}
	slices.Sort(names)
	if len(names) == 0 {
		return "-"
	}
	return strings.Join(names, ", ")
}

// again deletes the set, waits until the garbage collector has orphaned its children, and makes it anew.
func (s *nursery) again(ctx context.Context, old *metav1.PartialObjectMetadata) error {
	if err := s.collects(ctx); err != nil {
		return err
	}
	if err := s.Delete(ctx, s.set("web"), client.PropagationPolicy(metav1.DeletePropagationOrphan)); err != nil {
		return err
	}
	err := s.until(ctx, func(ctx context.Context) (bool, error) {
		children, err := s.children(ctx)
		if err != nil {
			return false, err
		}
		for _, child := range children {
			if metav1.IsControlledBy(child, old) {
				return false, nil
			}
		}
		_, err = s.Live(ctx)
		return apierrors.IsNotFound(err), client.IgnoreNotFound(err)
	})
	if err != nil {
		return err
	}
	return s.Create(ctx, s.set("web"))
}

// collects waits until the garbage collector knows the Processes: it deletes one whose owner never was. A collector
// that has heard of the set and not yet of its children orphans none, and deletes them when it hears of them.
func (s *nursery) collects(ctx context.Context) error {
	never := s.set("never")
	never.UID = uuid.NewUUID()
	canary := s.process("canary", "none", *metav1.NewControllerRef(never, v1alpha1.GroupVersion.WithKind("ProcessSet")))
	if err := s.Create(ctx, canary); err != nil {
		return err
	}
	return s.until(ctx, func(ctx context.Context) (bool, error) {
		err := s.Get(ctx, client.ObjectKeyFromObject(canary), canary)
		return apierrors.IsNotFound(err), client.IgnoreNotFound(err)
	})
}

// until waits for what the garbage collector does.
func (s *nursery) until(ctx context.Context, done wait.ConditionWithContextFunc) error {
	if err := wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, collected, true, done); err != nil {
		return fmt.Errorf("wait for the garbage collector: %w", err)
	}
	return nil
}

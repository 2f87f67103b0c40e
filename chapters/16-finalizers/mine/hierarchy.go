package main

import (
	"context"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
	hierarchy "github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/exercises/3-hierarchy"
)

// children are those of all sets of a namespace, for the reader's Run. What a later stage of it does, the book does
// until then.
type children struct {
	*place
	known hierarchyStages
}

// hierarchyStages are those of 16.3 beyond the first.
type hierarchyStages struct{ waits, answers, orphans bool }

// newChildren looks at what is written.
func newChildren() *children {
	return &children{known: hierarchyStages{waits: tryGoing(), answers: tryUnlisted(), orphans: tryOrphan()}}
}

// missing says what is not there yet, and what the book does.
func (c *children) missing() string {
	var text []string
	if !c.known.waits {
		text = append(text, "Stage 2 of 16.3 is still to be written. It waits for a child that is being deleted: "+
			"until then several may go at once.")
	}
	if !c.known.answers {
		text = append(text, "Stage 3 of 16.3 is still to be written. Until then the book looks at what the API "+
			"server answers.")
	}
	return strings.Join(text, " ")
}

// What an object's metadata alone does not say.
var (
	setType     = metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "ProcessSet"}
	processType = metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "Process"}
)

// do is the step of a set.
func (c *children) do(ctx context.Context, set client.Object) error {
	o := &metav1.PartialObjectMetadata{TypeMeta: setType, ObjectMeta: metav1.ObjectMeta{
		Namespace: set.GetNamespace(), Name: set.GetName(), UID: set.GetUID(), Finalizers: set.GetFinalizers(),
		DeletionTimestamp: set.GetDeletionTimestamp()}}
	done, err := hierarchy.Run(ctx, c, o)
	if err == nil && !done {
		err = &deletion.Waiting{For: "your Run", After: c.after()}
	}
	return err
}

// after is 0 where the changes of the set's own children lead to a run. Who waits for others' needs more.
func (c *children) after() time.Duration {
	if c.known.waits {
		return 0
	}
	return again
}

// List implements hierarchy.Children. It reads from the API server.
func (c *children) List(ctx context.Context) (all []metav1.PartialObjectMetadata, err error) {
	var list v1alpha1.ProcessList
	if err := c.manager.GetAPIReader().List(ctx, &list, client.InNamespace(c.lab.Namespace)); err != nil {
		return nil, err
	}
	for _, p := range list.Items {
		all = append(all, metav1.PartialObjectMetadata{TypeMeta: processType, ObjectMeta: p.ObjectMeta})
	}
	return all, nil
}

// Delete implements hierarchy.Children.
func (c *children) Delete(ctx context.Context, name string, only metav1.Preconditions) error {
	err := c.manager.GetClient().Delete(ctx, c.Process(name, ""),
		client.Preconditions{UID: only.UID, ResourceVersion: only.ResourceVersion})
	if !c.known.answers {
		return client.IgnoreNotFound(err)
	}
	return err
}

// trialSet has one child, and a world in which it is tried.
type trialSet struct {
	child   metav1.PartialObjectMetadata
	fails   error
	deleted bool
}

func newTrial() (*trialSet, *metav1.PartialObjectMetadata) {
	now := metav1.Now()
	set := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "web", UID: types.UID("set"),
		DeletionTimestamp: &now, Finalizers: []string{deletion.SetKey}}}
	owner := *metav1.NewControllerRef(set, v1alpha1.GroupVersion.WithKind(setType.Kind))
	t := &trialSet{child: metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "web-0", UID: "child",
		OwnerReferences: []metav1.OwnerReference{owner}}}}
	return t, set
}

func (t *trialSet) List(context.Context) ([]metav1.PartialObjectMetadata, error) {
	return []metav1.PartialObjectMetadata{*t.child.DeepCopy()}, t.fails
}

func (t *trialSet) Delete(context.Context, string, metav1.Preconditions) error {
	t.deleted = true
	return nil
}

// tryGoing says whether Run waits for a child that is being deleted.
func tryGoing() bool {
	t, set := newTrial()
	t.child.DeletionTimestamp = set.DeletionTimestamp
	done, err := hierarchy.Run(context.Background(), t, set)
	return !t.deleted && !done && err == nil
}

// tryUnlisted says whether a failure of List is one of Run.
func tryUnlisted() bool {
	t, set := newTrial()
	t.fails = apierrors.NewServiceUnavailable("probe")
	_, err := hierarchy.Run(context.Background(), t, set)
	return err != nil
}

// tryOrphan says whether Run leaves children alone that are to live on.
func tryOrphan() bool {
	t, set := newTrial()
	set.Finalizers = append(set.Finalizers, metav1.FinalizerOrphanDependents)
	done, err := hierarchy.Run(context.Background(), t, set)
	return !t.deleted && done && err == nil
}

package deletion_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
)

// web is a set that is being deleted.
func web(finalizers ...string) *v1alpha1.ProcessSet {
	now := metav1.Unix(1, 0)
	return &v1alpha1.ProcessSet{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "s1",
		Finalizers: append([]string{deletion.SetKey}, finalizers...), DeletionTimestamp: &now}}
}

// child is a Process of the set, with a finalizer, so that its deletion takes a while.
func child(set *v1alpha1.ProcessSet, name string) *v1alpha1.Process {
	return &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name,
		UID: types.UID("u-" + name), Finalizers: []string{key},
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(set, owned.Kind)}}}
}

// end ends the deletion of a child.
func (s *server) end(name string) {
	s.t.Helper()
	p := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
	require.NoError(s.t, s.WithWatch.Get(s.t.Context(), client.ObjectKeyFromObject(p), p))
	require.NotNil(s.t, p.DeletionTimestamp)
	p.Finalizers = nil
	require.NoError(s.t, s.Update(s.t.Context(), p))
}

// A set's Processes go one after the other, by number and not by text, and the set goes when they are gone.
func TestOneAfterTheOther(t *testing.T) {
	set := web()
	objects := []client.Object{set, child(set, "web-blue")}
	for n := range 11 {
		objects = append(objects, child(set, owned.Name("web", n)))
	}
	s := newServer(t, objects...)
	g := deletion.Set(s, s, reconcile.Func(nothing), deletion.Pieces{})
	for n := 10; n >= -1; n-- {
		name := owned.Name("web", n)
		if n < 0 {
			name = "web-blue"
		}
		_, err := g.Reconcile(t.Context(), request())
		require.NoError(t, err)
		require.Equal(t, []string{"delete " + name, "status"}, s.noted())
		_, err = g.Reconcile(t.Context(), request())
		require.NoError(t, err)
		require.NotContains(t, s.noted(), "delete", "the next one waits until it is gone")
		s.end(name)
	}
	_, err := g.Reconcile(t.Context(), request())
	require.NoError(t, err)
	require.True(t, apierrors.IsNotFound(s.Get(t.Context(), request().NamespacedName, web())))
}

// Only what the set controls is deleted: not what it owns besides others, what has its labels or a name like a
// child's, and not the children of an earlier set of its name.
func TestWhoseChildren(t *testing.T) {
	set, before := web(), web()
	before.UID = "s0"
	owns, alike := child(set, "web-3"), child(set, "web-4")
	owns.OwnerReferences[0].Controller = nil
	alike.OwnerReferences = nil
	s := newServer(t, child(before, "web-2"), owns, alike)
	require.NoError(t, (&deletion.Order{Live: s, Over: s}).Do(t.Context(), set))
	require.Empty(t, s.noted())
}

// Who deletes a set with Orphan wants to keep its Processes.
func TestOrphansStay(t *testing.T) {
	set := web(metav1.FinalizerOrphanDependents)
	s := newServer(t, set, child(set, "web-0"))
	require.NoError(t, (&deletion.Order{Live: s, Over: s}).Do(t.Context(), set))
	require.Empty(t, s.noted())
}

// A child that is gone meanwhile, or whose name is another's by now, is gone. Each other failure is one.
func TestAnswersToTheDeletion(t *testing.T) {
	set := web()
	processes := schema.GroupResource{Group: v1alpha1.GroupVersion.Group, Resource: "processes"}
	for _, c := range []struct {
		err  error
		says string
	}{
		{nil, "waits for web-0"},
		{apierrors.NewNotFound(processes, "web-0"), "waits for web-0"},
		{apierrors.NewConflict(processes, "web-0", errors.New("the UID in the precondition")), "waits for web-0"},
		{apierrors.NewForbidden(processes, "web-0", errors.New("no")), "delete web-0: "},
	} {
		s := newServer(t, child(set, "web-0"))
		s.fails["delete web-0"] = c.err
		require.ErrorContains(t, (&deletion.Order{Live: s, Over: s}).Do(t.Context(), set), c.says, fmt.Sprint(c.err))
	}
	full := errors.New("no list")
	require.ErrorIs(t, (&deletion.Order{Live: unlisted{err: full}}).Do(t.Context(), set), full)
}

// unlisted is a reader that can't list.
type unlisted struct {
	client.Reader
	err error
}

func (u unlisted) List(context.Context, client.ObjectList, ...client.ListOption) error { return u.err }

// Neither a namesake is deleted, nor a child that has changed since: it may be nobody's by now.
func TestAChildIsDeletedAsItWasRead(t *testing.T) {
	set, sent := web(), client.DeleteOptions{}
	over := deletes{newServer(t), &sent}
	s := newServer(t, child(set, "web-0"))
	_ = (&deletion.Order{Live: s, Over: over}).Do(t.Context(), set)
	require.Equal(t, types.UID("u-web-0"), *sent.Preconditions.UID)
	p := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web-0"}}
	require.NoError(t, s.Get(t.Context(), client.ObjectKeyFromObject(p), p))
	require.Equal(t, p.ResourceVersion, *sent.Preconditions.ResourceVersion)
}

// deletes notes how it was asked to delete.
type deletes struct {
	client.Writer
	options *client.DeleteOptions
}

func (d deletes) Delete(_ context.Context, _ client.Object, options ...client.DeleteOption) error {
	d.options.ApplyOptions(options)
	return nil
}

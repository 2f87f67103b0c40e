package claims

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// definitions is the kind of what defines kinds.
var definitions = schema.GroupVersionKind{
	Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"}

// gadgets is a kind of the test's own, whose group no other test has.
type gadgets struct {
	*site
	kind schema.GroupVersionKind
	crd  *unstructured.Unstructured
}

// newGadgets makes it. The end of the test deletes it.
func newGadgets(s *site) *gadgets {
	s.t.Helper()
	g := &gadgets{s, schema.GroupVersionKind{Group: lab.Suffix() + ".example.com", Version: "v1", Kind: "Gadget"}, nil}
	version := map[string]any{"name": g.kind.Version, "served": true, "storage": true,
		"schema": map[string]any{"openAPIV3Schema": map[string]any{
			"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}
	g.crd = &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"name": "gadgets." + g.kind.Group},
		"spec": map[string]any{"group": g.kind.Group, "scope": "Namespaced", "versions": []any{version},
			"names": map[string]any{"plural": "gadgets", "singular": "gadget", "kind": "Gadget",
				"listKind": "GadgetList"}}}}
	g.crd.SetGroupVersionKind(definitions)
	g.crd = made(s, g.crd)
	require.NoError(s.t, install.Served(s.t.Context(), s.dynamic(), g.kind.GroupVersion().WithResource("gadgets")))
	return g
}

// gadget is one that is not made yet.
func (g *gadgets) gadget(name string, finalizers ...string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(g.kind)
	o.SetNamespace(g.Namespace)
	o.SetName(name)
	o.SetFinalizers(finalizers)
	return o
}

// listOf is an empty list of a kind's objects.
func listOf(kind schema.GroupVersionKind) *unstructured.UnstructuredList {
	all := &unstructured.UnstructuredList{}
	all.SetGroupVersionKind(kind)
	return all
}

// terminating is the condition of that name.
func terminating(crd *unstructured.Unstructured) (status, reason string) {
	all, _, _ := unstructured.NestedSlice(crd.Object, "status", "conditions")
	for _, one := range all {
		c, _ := one.(map[string]any)
		if c["type"] == "Terminating" {
			status, _ = c["status"].(string)
			reason, _ = c["reason"].(string)
		}
	}
	return status, reason
}

// A CustomResourceDefinition that is deleted deletes all objects of its kind, and waits for them by a finalizer of its
// own. One object with a finalizer holds the definition: the object can be read and changed, and no other one be made.
// The API server does this by itself, without a controller beside it.
//
// covers: S0-58 B-88
func TestADefinitionWaitsForItsObjects(t *testing.T) {
	g := newGadgets(newSite(t))
	held, free := made(g.site, g.gadget("held", ours)), made(g.site, g.gadget("free"))
	y := g.followFrom(listOf(g.kind), free.GetResourceVersion())

	crd := deleted(g.site, g.crd)
	require.Equal(t, []string{"customresourcecleanup.apiextensions.k8s.io"}, crd.GetFinalizers())
	await(g.site, crd, listOf(definitions), func(now **unstructured.Unstructured) bool {
		require.NotNil(t, now, "an object is there")
		status, reason := terminating(*now)
		return status == string(metav1.ConditionTrue) && reason == "InstanceDeletionInProgress"
	})
	y.marked(held.GetName())
	y.goesAll(free.GetName())
	require.NotNil(t, onServer(g.site, held).GetDeletionTimestamp())
	// The server's handler reads definitions in a cache of its own, which hears of the condition a moment later.
	soon, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var late error
	for late == nil {
		late = g.user.Create(soon, g.gadget("late"), client.DryRunAll)
	}
	words := refused(t, http.StatusForbidden, late)
	require.Equal(t, "gadgets."+g.kind.Group+` "late" is forbidden: `+
		"create not allowed while custom resource definition is terminating", words)
	require.NoError(t, g.patch(held, map[string]any{"labels": map[string]string{"app": "web"}}))

	require.NoError(t, g.patch(held, only()))
	require.Equal(t, watch.Deleted, y.goes(held.GetName()).what)
	awaitGone(g.site, crd, listOf(definitions))
	refused(t, http.StatusNotFound, g.user.List(t.Context(), listOf(g.kind)))
}

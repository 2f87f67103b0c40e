package writes_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"pgregory.net/rapid"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// memory is upstream's fake client, with these objects.
func memory(objects ...client.Object) client.WithWatch {
	return fake.NewClientBuilder().WithScheme(known()).WithStatusSubresource(&v1alpha1.Process{}).
		WithObjects(objects...).Build()
}

// While nobody else writes and no program ends, the same comes of it as of upstream's.
func TestSaveAsUpstreamDoesWhileNothingHappens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		made, wanted := process(t, "before"), process(t, "after")
		made.ResourceVersion = ""
		change := func(p *v1alpha1.Process) {
			p.Spec, p.Status, p.Labels, p.Finalizers = wanted.Spec, wanted.Status, wanted.Labels, wanted.Finalizers
		}
		ours, theirs := memory(made), memory(made)
		key := client.ObjectKeyFromObject(made)

		before := &v1alpha1.Process{}
		require.NoError(t, ours.Get(t.Context(), key, before))
		after := before.DeepCopy()
		change(after)
		require.NoError(t, writes.Save(t.Context(), ours, before, after))

		p := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}
		_, err := controllerutil.CreateOrPatch(t.Context(), theirs, p, func() error {
			change(p)
			return nil
		})
		require.NoError(t, err)

		var mine, yours v1alpha1.Process
		require.NoError(t, ours.Get(t.Context(), key, &mine))
		require.NoError(t, theirs.Get(t.Context(), key, &yours))
		mine.ResourceVersion, yours.ResourceVersion = "", ""
		require.True(t, equality.Semantic.DeepEqual(mine, yours), "%v, and upstream's is %v", mine, yours)
	})
}

// A kind without a Go type is saved as any other, and so is a status that goes as a whole.
func TestSaveWithoutAGoType(t *testing.T) {
	pid := int32(1)
	p := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"},
		Spec: v1alpha1.ProcessSpec{Command: "sleep"}, Status: v1alpha1.ProcessStatus{PID: &pid}}
	over := memory(p)
	before := &unstructured.Unstructured{}
	before.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Process"))
	require.NoError(t, over.Get(t.Context(), client.ObjectKeyFromObject(p), before))
	after := before.DeepCopy()
	unstructured.RemoveNestedField(after.Object, "status")
	require.NoError(t, unstructured.SetNestedField(after.Object, "true", "spec", "command"))
	require.NoError(t, writes.Save(t.Context(), over, before, after))
	var now v1alpha1.Process
	require.NoError(t, over.Get(t.Context(), client.ObjectKeyFromObject(p), &now))
	require.Nil(t, now.Status.PID)
	require.Equal(t, "true", now.Spec.Command)
	require.Equal(t, now.ResourceVersion, after.GetResourceVersion())
}

// What can't be JSON is an error and no panic, and nothing is written.
func TestSaveWhatCantBeWritten(t *testing.T) {
	over := memory()
	before := &unstructured.Unstructured{Object: object{"metadata": object{"resourceVersion": "1"}, "spec": func() {}}}
	require.Error(t, writes.Save(t.Context(), over, before, &unstructured.Unstructured{Object: object{
		"metadata": object{"resourceVersion": "1"}}}))
}

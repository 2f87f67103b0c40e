package claims

import (
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Some fields are decided when an object is made. A write that changes one is refused each time that it is tried: what
// is wanted can only be had with another object.
func TestFieldsThatNeverChange(t *testing.T) {
	s := newStage(t)
	web := func() map[string]string { return map[string]string{"app": "web"} }
	template := s.pods("template", "web=web:1").Template
	template.Labels = web()
	for _, test := range []struct {
		made   client.Object
		change func(client.Object)
		words  []string
	}{
		{&appsv1.Deployment{ObjectMeta: s.named("web"), Spec: appsv1.DeploymentSpec{Template: *template.DeepCopy(),
			Selector: &metav1.LabelSelector{MatchLabels: web()}}},
			func(o client.Object) {
				d := o.(*appsv1.Deployment)
				d.Spec.Selector.MatchLabels["tier"] = "front"
				d.Spec.Template.Labels = d.Spec.Selector.MatchLabels
			},
			[]string{"spec.selector: Invalid value: ", ": field is immutable"}},
		{&corev1.ConfigMap{ObjectMeta: s.named("web"), Data: web(), Immutable: ptr.To(true)},
			func(o client.Object) { o.(*corev1.ConfigMap).Data["app"] = "other" },
			[]string{"data: Forbidden: field is immutable when `immutable` is set"}},
		{&appsv1.StatefulSet{ObjectMeta: s.named("web"), Spec: appsv1.StatefulSetSpec{Template: *template.DeepCopy(),
			Selector: &metav1.LabelSelector{MatchLabels: web()}, ServiceName: "web"}},
			func(o client.Object) { o.(*appsv1.StatefulSet).Spec.ServiceName = "other" },
			[]string{`spec.serviceName: Invalid value: "other": field is immutable`}},
		{&corev1.Pod{ObjectMeta: s.named("web"), Spec: *template.Spec.DeepCopy()},
			func(o client.Object) { o.(*corev1.Pod).Spec.Containers[0].Command = []string{"sleep"} },
			[]string{"spec: Forbidden: pod updates may not change fields other than"}},
	} {
		s.create(test.made)
		for _, try := range []string{"first", "second"} {
			changed := onServer(s, test.made)
			changed.SetResourceVersion("") // its controller writes the status meanwhile
			mark(changed, "try", try)
			test.change(changed)
			err := s.live.Update(t.Context(), changed)
			require.True(t, apierrors.IsInvalid(err), "%T, %s: %v", changed, try, err)
			for _, words := range test.words {
				require.ErrorContains(t, err, words)
			}
			require.NotContains(t, onServer(s, test.made).GetLabels(), "try", "nor is the rest of it written")
		}
	}
}

// An apply that says a field which a built-in kind does not have is refused, and the object is as it was. A merge patch
// with the same field goes through, and the field is left out.
//
// covers: S0-49
func TestAnApplyOfAFieldThatIsNone(t *testing.T) {
	s := newStage(t)
	web := s.pods("web", "web=web:1")
	s.create(web)
	said := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "PodTemplate",
		"metadata": map[string]any{"namespace": s.Namespace, "name": "web"},
		"template": map[string]any{"spec": map[string]any{"imagePullSecret": "typo"}}}}
	err := s.live.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(said), client.FieldOwner("mine"))
	require.ErrorContains(t, err, "failed to create typed patch object ("+s.Namespace+"/web; /v1, Kind=PodTemplate): "+
		".template.spec.imagePullSecret: field not declared in schema")
	require.Empty(t, ownedBy(onServer(s, web), "mine", metav1.ManagedFieldsOperationApply))

	patch := client.RawPatch(types.MergePatchType, []byte(`{"template":{"spec":{"imagePullSecret":"typo"}}}`))
	require.NoError(t, s.live.Patch(t.Context(), web, patch))
	require.Equal(t, web.ResourceVersion, onServer(s, web).ResourceVersion)
	require.Empty(t, web.Template.Spec.ImagePullSecrets)
}

package claims

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
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

// An apply that says two elements of a list which have one key is refused. A creation that says them goes through, with
// a warning, if the kind does not mind, as with two variables of one name; an apply over it says one, and one is left.
func TestAnApplyThatSaysAKeyTwice(t *testing.T) {
	s := newStage(t)
	said := func(name string, values ...string) *coreapply.PodTemplateApplyConfiguration {
		web := coreapply.Container().WithName("web").WithImage("web:1")
		for _, value := range values {
			web.WithEnv(coreapply.EnvVar().WithName("TZ").WithValue(value))
		}
		return coreapply.PodTemplate(name, s.Namespace).
			WithTemplate(coreapply.PodTemplateSpec().WithSpec(coreapply.PodSpec().WithContainers(web)))
	}
	err := s.live.Apply(t.Context(), said("web", "UTC", "CET"), client.FieldOwner("mine"))
	require.ErrorContains(t, err, "failed to create typed patch object ("+s.Namespace+"/web; /v1, Kind=PodTemplate): "+
		`.template.spec.containers[name="web"].env: duplicate entries for key [name="TZ"]`)
	twice := said("web", "UTC").WithFinalizers("scratch.example.com/hold", "scratch.example.com/hold")
	err = s.live.Apply(t.Context(), twice, client.FieldOwner("mine"))
	require.ErrorContains(t, err, `.metadata.finalizers: duplicate entries for key [="scratch.example.com/hold"]`)

	var warned warnings
	config := rest.CopyConfig(s.config)
	config.WarningHandler = &warned
	over, err := client.New(config, client.Options{HTTPClient: s.HTTPClient(), Scheme: s.scheme})
	require.NoError(t, err)
	web := s.pods("web", "web=web:1")
	variable := func(value string) corev1.EnvVar { return corev1.EnvVar{Name: "TZ", Value: value} }
	web.Template.Spec.Containers[0].Env = []corev1.EnvVar{variable("UTC"), variable("CET")}
	require.NoError(t, over.Create(t.Context(), web))
	require.Len(t, onServer(s, web).Template.Spec.Containers[0].Env, 2)
	require.Equal(t, warnings{`template.spec.containers[0].env[1]: hides previous definition of "TZ", which may be ` +
		"dropped when using apply"}, warned)
	require.NoError(t, s.live.Apply(t.Context(), said("web", "EET"), client.FieldOwner("mine"), client.ForceOwnership))
	require.Equal(t, []corev1.EnvVar{variable("EET")}, onServer(s, web).Template.Spec.Containers[0].Env)
}

// warnings are what a server has said beside its answers.
type warnings []string

// HandleWarningHeader implements rest.WarningHandler.
func (w *warnings) HandleWarningHeader(_ int, _ string, text string) { *w = append(*w, text) }

// An object may be called what no label may say: a name has up to 253 characters, and the value of a label 63. A write
// of such a label is refused, and so is a list by it. A cache is no server, and finds nothing.
func TestANameThatIsNoLabel(t *testing.T) {
	s := newStage(t)
	long := strings.Repeat("x", 64)
	labelled := &corev1.ConfigMap{ObjectMeta: s.named(long)}
	s.create(labelled)
	mark(labelled, "of", long)
	err := s.live.Update(t.Context(), labelled)
	require.True(t, apierrors.IsInvalid(err), "%v", err)
	require.ErrorContains(t, err, "metadata.labels: Invalid value: ")
	require.ErrorContains(t, err, "must be no more than 63 bytes")
	err = s.live.List(t.Context(), &corev1.ConfigMapList{}, client.InNamespace(s.Namespace),
		client.MatchingLabels{"of": long})
	require.True(t, apierrors.IsBadRequest(err), "%v", err)
	require.ErrorContains(t, err, "unable to parse requirement: ")
	require.ErrorContains(t, err, "must be no more than 63 bytes")
	err = s.live.List(t.Context(), &corev1.ConfigMapList{}, client.MatchingLabels{"of": "a/b"})
	require.ErrorContains(t, err, "a valid label must be an empty string or consist of alphanumeric characters")

	c := s.cached(nil)
	var none corev1.ConfigMapList
	require.NoError(t, c.List(t.Context(), &none, client.MatchingLabels{"of": long}))
	require.Empty(t, none.Items)
}

// A webhook is asked at each write that its configuration names. One that does not answer makes the write an internal
// error, unless its failurePolicy is Ignore. One that says no is the author of the words, and of the code if it gives
// one.
func TestAWebhookDecides(t *testing.T) {
	testkit.Needs(t, testkit.Loopback)
	s := newStage(t)
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review map[string]any
		_ = json.NewDecoder(r.Body).Decode(&review)
		uid, _, _ := unstructured.NestedString(review, "request", "uid")
		_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
			"response": map[string]any{"uid": uid, "allowed": false, "status": map[string]any{"message": "no tea"}}})
	}))
	defer server.Close()
	none := admissionv1.SideEffectClassNone
	hook := &admissionv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: s.Namespace},
		Webhooks: []admissionv1.ValidatingWebhook{{
			Name: "tea.example.com", SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
			ClientConfig: admissionv1.WebhookClientConfig{URL: &server.URL, CABundle: pem.EncodeToMemory(
				&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})},
			NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{
				corev1.LabelMetadataName: s.Namespace}},
			Rules: []admissionv1.RuleWithOperations{{Operations: []admissionv1.OperationType{admissionv1.Create},
				Rule: admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"},
					Resources: []string{"configmaps"}}}},
		}}}
	s.create(hook)
	defer func() { require.NoError(t, s.live.Delete(context.Background(), hook)) }()
	refused := func(code int32, words string) {
		t.Helper()
		require.EventuallyWithT(t, func(c *assert.CollectT) { // the server takes its time to hear of a configuration
			object := &corev1.ConfigMap{ObjectMeta: s.named("menu")}
			err := s.live.Create(t.Context(), object)
			if err == nil {
				require.NoError(c, s.live.Delete(t.Context(), object))
			}
			require.ErrorContains(c, err, words)
			require.True(c, isCode(err, code), "%v", err)
		}, 20*time.Second, 100*time.Millisecond)
	}
	refused(http.StatusBadRequest, `admission webhook "tea.example.com" denied the request: no tea`)
	server.Close()
	refused(http.StatusInternalServerError, `Internal error occurred: failed calling webhook "tea.example.com": `+
		`failed to call webhook: Post "`+server.URL)
}

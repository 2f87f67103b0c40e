package claims

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/gentype"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"

	apply "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/applyconfiguration/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// processClient is what client-gen would generate for Process.
type processClient = gentype.ClientWithListAndApply[
	*v1alpha1.Process, *v1alpha1.ProcessList, *apply.ProcessApplyConfiguration]

// processes is a typed client for the test's namespace.
func (s *stage) processes() *processClient {
	s.t.Helper()
	known := runtime.NewScheme()
	require.NoError(s.t, v1alpha1.AddToScheme(known))
	config := kube.RESTConfig(s.t, s.Cluster.Cluster)
	config.APIPath, config.GroupVersion = "/apis", &v1alpha1.GroupVersion
	config.NegotiatedSerializer = serializer.NewCodecFactory(known).WithoutConversion()
	client, err := rest.RESTClientForConfigAndClient(config, s.HTTPClient())
	require.NoError(s.t, err)
	return gentype.NewClientWithListAndApply[
		*v1alpha1.Process, *v1alpha1.ProcessList, *apply.ProcessApplyConfiguration](
		"processes", client, runtime.NewParameterCodec(known), s.Namespace,
		func() *v1alpha1.Process { return &v1alpha1.Process{} },
		func() *v1alpha1.ProcessList { return &v1alpha1.ProcessList{} })
}

// by are the options of a manager who applies.
func by(manager string) metav1.ApplyOptions { return metav1.ApplyOptions{FieldManager: manager} }

// An apply configuration sends what was set and nothing else, so each manager owns what it said. Who says something
// else about another's field is refused until it insists. What a manager no longer says is taken away.
//
// covers: C-13
func TestWhoAppliesOwnsWhatItSaid(t *testing.T) {
	s := newStage(t)
	processes := s.processes()
	web := func(spec *apply.ProcessSpecApplyConfiguration) *apply.ProcessApplyConfiguration {
		return apply.Process("web", s.Namespace).WithSpec(spec)
	}
	spec := apply.ProcessSpec().WithCommand("sleep").WithArgs("60").WithGracePeriodSeconds(0)
	made, err := processes.Apply(t.Context(), web(spec), by("person"))
	require.NoError(t, err)
	require.Equal(t, int32(0), *made.Spec.GracePeriodSeconds, "a zero that was set is sent")
	require.Equal(t, v1alpha1.RestartAlways, made.Spec.RestartPolicy, "what was not set is defaulted")

	other := web(apply.ProcessSpec().WithGracePeriodSeconds(5))
	_, err = processes.Apply(t.Context(), other, by("tuner"))
	require.True(t, apierrors.IsConflict(err), "%v", err)
	require.Equal(t, `Apply failed with 1 conflict: conflict with "person": .spec.gracePeriodSeconds`, err.Error())
	insists := by("tuner")
	insists.Force = true
	tuned, err := processes.Apply(t.Context(), other, insists)
	require.NoError(t, err)
	require.Equal(t, int32(5), *tuned.Spec.GracePeriodSeconds)
	require.Equal(t, "sleep", tuned.Spec.Command, "what it did not mention stays")

	same, err := processes.Apply(t.Context(), web(apply.ProcessSpec().WithCommand("sleep")), by("person"))
	require.NoError(t, err)
	require.Empty(t, same.Spec.Args, "what person no longer says is taken away")
	require.Equal(t, int32(5), *same.Spec.GracePeriodSeconds, "what tuner says is not")
}

// The Go type itself says more than was meant: its required fields are sent with their zeros. As an apply it would own
// them, and here it is refused.
//
// covers: C-13
func TestTheTypeItselfSaysTooMuch(t *testing.T) {
	s := newStage(t)
	_, err := s.processes().Apply(t.Context(),
		apply.Process("web", s.Namespace).WithSpec(apply.ProcessSpec().WithCommand("sleep")), by("person"))
	require.NoError(t, err)
	labelled := v1alpha1.Process{TypeMeta: metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "Process"},
		ObjectMeta: metav1.ObjectMeta{Name: "web", Labels: map[string]string{"team": "red"}}}
	body, err := json.Marshal(labelled)
	require.NoError(t, err)
	require.Contains(t, string(body), `"spec":{"command":""}`)
	const media = "Content-Type: application/apply-patch+yaml"
	a := s.ask(http.MethodPatch, s.path("processes", "web")+"?fieldManager=labeller", body, media)
	require.Equal(t, http.StatusConflict, a.Code, "%s", a.Body)
	require.Contains(t, a.Object().Object["message"], ".spec.command")

	configuration := apply.Process("web", s.Namespace).WithLabels(map[string]string{"team": "red"})
	body, err = json.Marshal(configuration)
	require.NoError(t, err)
	require.NotContains(t, string(body), "spec")
	after := s.must(http.MethodPatch, s.path("processes", "web")+"?fieldManager=labeller", body, media)
	require.Equal(t, `{"team":"red"}`, after.Field("metadata", "labels"))
}

// Two managers each keep a condition of one status, because the list is a map by type. Extract gives back what one of
// them said, from the object as it was read.
//
// covers: C-13 S0-17
func TestApplyStatusAndExtract(t *testing.T) {
	s := newStage(t)
	processes := s.processes()
	_, err := processes.Apply(t.Context(),
		apply.Process("web", s.Namespace).WithSpec(apply.ProcessSpec().WithCommand("sleep")), by("person"))
	require.NoError(t, err)
	for manager, condition := range map[string]string{
		"runner": v1alpha1.ConditionReady, "judge": v1alpha1.ConditionStalled,
	} {
		status := apply.ProcessStatus().WithConditions(metaapply.Condition().WithType(condition).
			WithStatus(metav1.ConditionTrue).WithReason("Test").WithMessage("").
			WithLastTransitionTime(metav1.Unix(1, 0)))
		_, err := processes.ApplyStatus(t.Context(), apply.Process("web", s.Namespace).WithStatus(status), by(manager))
		require.NoError(t, err)
	}
	web, err := processes.Get(t.Context(), "web", metav1.GetOptions{})
	require.NoError(t, err)
	require.Len(t, web.Status.Conditions, 2)

	said, err := apply.ExtractProcess(web, "person")
	require.NoError(t, err)
	require.Equal(t, ptr.To("sleep"), said.Spec.Command)
	require.Nil(t, said.Spec.RestartPolicy, "a default is nobody's word")
	require.Nil(t, said.Status)
	judged, err := apply.ExtractProcessStatus(web, "judge")
	require.NoError(t, err)
	require.Len(t, judged.Status.Conditions, 1)
	require.Equal(t, v1alpha1.ConditionStalled, *judged.Status.Conditions[0].Type)
}

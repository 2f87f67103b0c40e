package claims

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/sets"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	autoscalingapply "k8s.io/client-go/applyconfigurations/autoscaling/v1"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/util/csaupgrade"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/applyconfiguration/api/v1alpha1"
	types "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// ownedBy are the fields of an object that a manager owns by an operation, as JSON.
func ownedBy(o client.Object, manager string, by metav1.ManagedFieldsOperationType) string {
	for _, entry := range o.GetManagedFields() {
		if entry.Manager == manager && entry.Operation == by {
			return string(entry.FieldsV1.GetRawBytes())
		}
	}
	return ""
}

// causes are why a request was refused, a line each.
func causes(err error) (all []string) {
	var status apierrors.APIStatus
	if errors.As(err, &status) && status.Status().Details != nil {
		for _, cause := range status.Status().Details.Causes {
			all = append(all, string(cause.Type)+" "+cause.Field+": "+cause.Message)
		}
	}
	return all
}

// A published example reads an object, changes it and applies it. What was read is refused, because it says who manages
// its fields. Without that, it says each field of the object, and so it would own them all: what others own is a
// conflict, and with force it is taken from them.
//
// covers: B-68 S0-44
func TestApplyingWhatWasRead(t *testing.T) {
	s := newStage(t)
	require.NoError(t, s.live.Apply(t.Context(), s.podsSaid("web", "web=web:1"), client.FieldOwner("theirs")))
	read := onServer(s, s.pods("web"))
	mark(read, "mine", "yes")
	apply := func(o client.Object, options ...client.PatchOption) error {
		o = copyOf(o)
		//lint:ignore SA1019 it is what the example does
		return s.live.Patch(t.Context(), o, client.Apply, append(options, client.FieldOwner("mine"))...)
	}
	err := apply(read)
	require.True(t, isCode(err, http.StatusBadRequest), "%v", err)
	read.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PodTemplate"))
	err = apply(read)
	require.True(t, isCode(err, http.StatusBadRequest), "%v", err)
	require.ErrorContains(t, err, "metadata.managedFields must be nil")
	loose, err := runtime.DefaultUnstructuredConverter.ToUnstructured(read)
	require.NoError(t, err)
	_, err = s.dynamic.Resource(corev1.SchemeGroupVersion.WithResource("podtemplates")).Namespace(s.Namespace).Apply(
		t.Context(), "web", &unstructured.Unstructured{Object: loose}, metav1.ApplyOptions{FieldManager: "mine"})
	require.ErrorContains(t, err, "cannot apply an object with managed fields already set")

	read.ManagedFields = nil
	require.NoError(t, apply(read), "what agrees is no conflict")
	require.Contains(t, ownedBy(onServer(s, read), "mine", metav1.ManagedFieldsOperationApply), `"f:image"`)

	require.NoError(t, s.live.Apply(t.Context(), s.podsSaid("web", "web=web:2"), client.FieldOwner("theirs"),
		client.ForceOwnership))
	read.ResourceVersion = ""
	err = apply(read)
	require.True(t, apierrors.IsConflict(err), "it only wanted a label: %v", err)
	require.NoError(t, apply(read, client.ForceOwnership))
	require.Equal(t, []string{"web=web:1"}, containers(onServer(s, read)), "and puts back what it has read")
}

// An apply configuration says what its manager wants, and nothing else. It is not read before, and creates what is not
// there. Saying the same again writes nothing. What is no longer said is taken away, unless somebody else says it too.
//
// covers: B-68 C-23 S0-49 S0-44
func TestApplySaysWhatIsWanted(t *testing.T) {
	s := newStage(t)
	mine := client.FieldOwner("mine")
	said := v1alpha1.Process("web", s.Namespace).WithLabels(map[string]string{"mine": "yes"}).
		WithSpec(v1alpha1.ProcessSpec().WithCommand("sleep").WithArgs("60"))
	require.NoError(t, s.live.Apply(t.Context(), said, mine), "it is created")
	require.NotNil(t, said.ResourceVersion, "what came back is put into the configuration")
	version := *said.ResourceVersion

	same := func() *v1alpha1.ProcessApplyConfiguration {
		return v1alpha1.Process("web", s.Namespace).WithSpec(v1alpha1.ProcessSpec().WithCommand("sleep"))
	}
	again := same().WithLabels(map[string]string{"mine": "yes"})
	again.Spec.WithArgs("60")
	require.NoError(t, s.live.Apply(t.Context(), again, mine))
	require.Equal(t, version, *again.ResourceVersion)

	theirs := client.FieldOwner("theirs")
	labelled := v1alpha1.Process("web", s.Namespace).WithLabels(map[string]string{"mine": "yes", "theirs": "yes"})
	require.NoError(t, s.live.Apply(t.Context(), labelled, theirs), "the same value is shared")
	require.NoError(t, s.live.Apply(t.Context(), same(), mine))
	web := onServer(s, s.process("web"))
	require.Empty(t, web.Spec.Args, "nobody says them any more")
	require.Equal(t, map[string]string{"mine": "yes", "theirs": "yes"}, web.Labels, "the other still says both")
	require.NoError(t, s.live.Apply(t.Context(), v1alpha1.Process("web", s.Namespace), theirs))
	require.Empty(t, onServer(s, web).Labels)

	require.ErrorContains(t, s.live.Apply(t.Context(), same()), "fieldManager", "an apply has a manager's name")
}

// An apply creates what is not there, also what was there when it was decided on: it brings back what somebody has
// deleted, as another object. With the UID of what was read it is refused.
//
// covers: S0-49
func TestAnApplyBringsBackWhatWasDeleted(t *testing.T) {
	s := newStage(t)
	said := func() *v1alpha1.ProcessApplyConfiguration {
		return v1alpha1.Process("web", s.Namespace).WithSpec(v1alpha1.ProcessSpec().WithCommand("sleep"))
	}
	first := said()
	require.NoError(t, s.live.Apply(t.Context(), first, client.FieldOwner("mine")))
	require.NoError(t, s.live.Delete(t.Context(), s.process("web")))
	err := s.live.Apply(t.Context(), said().WithUID(*first.UID), client.FieldOwner("mine"))
	require.True(t, apierrors.IsConflict(err), "%v", err)
	require.ErrorContains(t, err, "no existing object was found")
	second := said()
	require.NoError(t, s.live.Apply(t.Context(), second, client.FieldOwner("mine")))
	require.NotEqual(t, *first.UID, *second.UID)
}

// Who says another value of what somebody else owns is refused, with the manager and the field in the answer. It may
// insist, and then it owns the field alone; or give up, and leave the field out; or say the same, and share it.
// A field that it does not own is not taken away by leaving it out.
//
// covers: S0-49 C-37 B-68
func TestAnApplyThatConflicts(t *testing.T) {
	s := newStage(t)
	mine, theirs := client.FieldOwner("mine"), client.FieldOwner("theirs")
	says := func(image string) *coreapply.PodTemplateApplyConfiguration { return s.podsSaid("web", "web="+image) }
	require.NoError(t, s.live.Apply(t.Context(), says("web:1"), theirs))
	err := s.live.Apply(t.Context(), says("web:2"), mine)
	require.True(t, apierrors.IsConflict(err), "%v", err)
	require.Equal(t, []string{`FieldManagerConflict .template.spec.containers[name="web"].image: ` +
		`conflict with "theirs"`}, causes(err))

	unsaid := coreapply.PodTemplate("web", s.Namespace).WithLabels(map[string]string{"mine": "yes"})
	require.NoError(t, s.live.Apply(t.Context(), unsaid, mine), "to give up is to leave it out")
	require.Equal(t, []string{"web=web:1"}, containers(onServer(s, s.pods("web"))), "which does not delete it")

	owners := func() (all []string) {
		for _, manager := range []string{"mine", "theirs"} {
			if o := ownedBy(onServer(s, s.pods("web")), manager, metav1.ManagedFieldsOperationApply); o != "" {
				if o != `{"f:metadata":{"f:labels":{"f:mine":{}}}}` {
					all = append(all, manager)
				}
			}
		}
		return all
	}
	require.Equal(t, []string{"theirs"}, owners())
	require.NoError(t, s.live.Apply(t.Context(), says("web:1"), mine))
	require.Equal(t, []string{"mine", "theirs"}, owners(), "to say the same is to share it")
	require.NoError(t, s.live.Apply(t.Context(), says("web:2"), mine, client.ForceOwnership))
	web := onServer(s, s.pods("web"))
	require.Equal(t, []string{"web=web:2"}, containers(web))
	require.NotContains(t, ownedBy(web, "theirs", metav1.ManagedFieldsOperationApply), "f:image")
	err = s.live.Apply(t.Context(), says("web:1"), theirs)
	require.True(t, apierrors.IsConflict(err), "now it is the other's turn: %v", err)
}

// The elements of a list that is a map, by a key, are owned one by one, each by who said it. A list that is atomic is
// one value, and has one owner.
//
// covers: S0-49
func TestElementsAreOwnedOneByOne(t *testing.T) {
	s := newStage(t)
	says := func(manager string, args string) error {
		spec := v1alpha1.ProcessSpec().WithCommand("sleep").WithEnv(v1alpha1.EnvVar().WithName(manager).WithValue("1"))
		if args != "" {
			spec.WithArgs(args)
		}
		said := v1alpha1.Process("web", s.Namespace).WithSpec(spec)
		return s.live.Apply(t.Context(), said, client.FieldOwner(manager))
	}
	require.NoError(t, says("MINE", "60"))
	require.NoError(t, says("THEIRS", ""))
	web := onServer(s, s.process("web"))
	require.ElementsMatch(t, []types.EnvVar{{Name: "MINE", Value: "1"}, {Name: "THEIRS", Value: "1"}}, web.Spec.Env)
	err := says("THEIRS", "90")
	require.Equal(t, []string{`FieldManagerConflict .spec.args: conflict with "MINE"`}, causes(err))

	require.NoError(t, s.live.Apply(t.Context(), v1alpha1.Process("web", s.Namespace).
		WithSpec(v1alpha1.ProcessSpec().WithCommand("sleep")), client.FieldOwner("MINE")))
	web = onServer(s, web)
	require.Equal(t, []types.EnvVar{{Name: "THEIRS", Value: "1"}}, web.Spec.Env)
	require.Empty(t, web.Spec.Args)
}

// Client.Apply is for the object, for its status, and for other subresources. What has no Go types is applied as nested
// maps. Each subresource is an entry of its own in managedFields.
//
// covers: C-23
func TestApplyOfEachKind(t *testing.T) {
	s := newStage(t)
	mine := client.FieldOwner("mine")
	loose := &unstructured.Unstructured{Object: map[string]any{"apiVersion": types.GroupVersion.String(),
		"kind": "ProcessSet", "metadata": map[string]any{"namespace": s.Namespace, "name": "web"},
		"spec": map[string]any{"replicas": int64(1), "selector": map[string]any{"app": "web"},
			"template": map[string]any{"labels": map[string]any{"app": "web"},
				"spec": map[string]any{"command": "sleep"}}}}}
	require.NoError(t, s.live.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(loose), mine))
	require.NotEmpty(t, loose.GetUID(), "what came back is put into the map")

	status := v1alpha1.ProcessSet("web", s.Namespace).WithStatus(v1alpha1.ProcessSetStatus().WithReplicas(1).
		WithSelector("app=web"))
	require.NoError(t, s.live.Status().Apply(t.Context(), status, mine))

	web := onServer(s, &types.ProcessSet{ObjectMeta: s.named("web")})
	require.Equal(t, int32(1), web.Status.Replicas)
	require.ElementsMatch(t, []string{"mine Apply ", "mine Apply status"}, managersOf(web))
}

// A controller that has made an object by Create, and now applies, has two shares of it: what it no longer applies is
// still in the first one, and stays. UpgradeManagedFields makes one share of both, and the next apply takes it away.
//
// covers: S0-49
func TestFromUpdateToApply(t *testing.T) {
	s := newStage(t)
	mine := client.FieldOwner("mine")
	web := s.process("web")
	web.Labels = map[string]string{"kept": "yes", "left": "yes"}
	require.NoError(t, s.live.Create(t.Context(), web, mine))
	apply := func() *types.Process {
		t.Helper()
		require.NoError(t, s.live.Apply(t.Context(), v1alpha1.Process("web", s.Namespace).
			WithLabels(map[string]string{"kept": "yes"}).
			WithSpec(v1alpha1.ProcessSpec().WithCommand("sleep")), mine))
		return onServer(s, web)
	}
	both := map[string]string{"kept": "yes", "left": "yes"}
	now := apply()
	require.Equal(t, both, now.Labels)
	require.ElementsMatch(t, []string{"mine Update ", "mine Apply "}, managersOf(now))

	require.NoError(t, csaupgrade.UpgradeManagedFields(now, sets.New("mine"), "mine"))
	require.NoError(t, s.live.Update(t.Context(), now, mine))
	require.Equal(t, []string{"mine Apply "}, managersOf(onServer(s, web)))
	require.Equal(t, both, onServer(s, web).Labels, "it says what it has said")
	require.Equal(t, map[string]string{"kept": "yes"}, apply().Labels)
}

// What a subresource takes may be another kind, as a Scale is. That of a built-in kind can be applied. That of a custom
// kind can be updated and patched, and an apply of it fails in the server.
//
// covers: C-23
func TestApplyOfAScale(t *testing.T) {
	s := newStage(t)
	labels := map[string]string{"app": "web"}
	deployment := &appsv1.Deployment{ObjectMeta: s.named("web"), Spec: appsv1.DeploymentSpec{Replicas: ptr.To[int32](0),
		Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: s.pods("", "web=web:1").Template}}
	deployment.Spec.Template.Labels = labels
	s.create(deployment)
	set := &types.ProcessSet{ObjectMeta: s.named("web"), Spec: types.ProcessSetSpec{Selector: labels,
		Template: types.ProcessTemplate{Labels: labels, Spec: types.ProcessSpec{Command: "sleep"}}}}
	s.create(set)
	apply := func(to runtime.ApplyConfiguration) error {
		scale := autoscalingapply.Scale().WithName("web").WithNamespace(s.Namespace).
			WithSpec(autoscalingapply.ScaleSpec().WithReplicas(0)) // or there would be Pods
		return s.live.SubResource("scale").Apply(t.Context(), to,
			&client.SubResourceApplyOptions{SubResourceBody: scale}, client.FieldOwner("scaler"), client.ForceOwnership)
	}
	require.NoError(t, apply(appsapply.Deployment("web", s.Namespace)))
	require.Contains(t, managersOf(onServer(s, deployment)), "scaler Apply scale")

	err := apply(v1alpha1.ProcessSet("web", s.Namespace))
	require.True(t, isCode(err, http.StatusInternalServerError), "%v", err)
	body := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: s.Namespace}}
	require.NoError(t, s.live.SubResource("scale").Update(t.Context(), set, client.WithSubResourceBody(body)))
	require.Zero(t, *onServer(s, set).Spec.Replicas)
}

// Whoever writes is in managedFields, appliers and those who update apart, also of one name. So an apply does not take
// away what the same manager has updated before. An update that leaves the list out changes nothing in it, one whose
// list is a single empty entry empties it, and one that renames a manager is believed.
//
// covers: C-37
func TestManagedFields(t *testing.T) {
	s := newStage(t)
	web := s.process("web")
	web.Labels = map[string]string{"old": "yes"}
	require.NoError(t, s.live.Create(t.Context(), web, client.FieldOwner("mine")))
	require.NotEmpty(t, ownedBy(web, "mine", metav1.ManagedFieldsOperationUpdate))

	said := v1alpha1.Process("web", s.Namespace).WithSpec(v1alpha1.ProcessSpec().WithCommand("sleep"))
	require.NoError(t, s.live.Apply(t.Context(), said, client.FieldOwner("mine")))
	web = onServer(s, web)
	require.Len(t, web.ManagedFields, 2)
	require.Equal(t, "yes", web.Labels["old"], "left out, and not taken away: the updater of that name owns it")

	forged := copyOf(web)
	forged.ManagedFields[0].Manager = "nobody"
	mark(forged, "new", "yes")
	require.NoError(t, s.live.Update(t.Context(), forged, client.FieldOwner("another")))
	require.ElementsMatch(t, []string{"nobody Apply ", "mine Update ", "another Update "}, managersOf(forged))
	left := func(list ...metav1.ManagedFieldsEntry) int {
		o := onServer(s, web)
		o.ManagedFields = list
		require.NoError(t, s.live.Update(t.Context(), o))
		return len(onServer(s, web).ManagedFields)
	}
	require.Equal(t, 3, left())
	require.Zero(t, left(metav1.ManagedFieldsEntry{}))
}

func managersOf(o client.Object) (all []string) {
	for _, entry := range o.GetManagedFields() {
		all = append(all, entry.Manager+" "+string(entry.Operation)+" "+entry.Subresource)
	}
	return all
}

// The server makes a name of a generateName, and the answer has it: the base, cut so that it is not too long, and five
// characters. (That it tries again when the name is taken is in its source: nobody can make that happen.)
//
// covers: C-37
func TestGenerateName(t *testing.T) {
	s := newStage(t)
	names := map[string]bool{}
	for range 20 {
		web := s.process("")
		web.GenerateName = "web-"
		s.create(web)
		require.Regexp(t, "^web-[a-z0-9]{5}$", web.Name)
		names[web.Name] = true
	}
	require.Len(t, names, 20)
	long := s.process("")
	long.GenerateName = strings.Repeat("w", 63)
	s.create(long)
	require.Regexp(t, "^w{58}[a-z0-9]{5}$", long.Name)
}

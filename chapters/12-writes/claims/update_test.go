package claims

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	admission "k8s.io/api/admissionregistration/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	backoff "k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// An update that names an old version is refused, whatever the kind: the last write does not win. Without a version the
// kind decides. Some built-in kinds take it, and then the last write does win, and what the other wrote is gone. Other
// built-in kinds and all custom ones refuse it.
//
// covers: B-66 S0-44 S0-40 C-38
func TestAnUpdateWithoutAVersion(t *testing.T) {
	s := newStage(t)
	for _, test := range []struct {
		object client.Object
		wins   bool
	}{
		{s.pods("web", "web=web:1"), true},
		{&coordinationv1.Lease{ObjectMeta: s.named("web")}, false},
		{s.process("web"), false},
	} {
		s.create(test.object)
		mine := copyOf(test.object)
		elsewhere(s, test.object, func(o client.Object) { mark(o, "theirs", "yes") })

		mark(mine, "mine", "yes")
		err := s.live.Update(t.Context(), copyOf(mine))
		require.True(t, apierrors.IsConflict(err), "%T: the last write wins? %v", mine, err)

		mine.SetResourceVersion("")
		err = s.live.Update(t.Context(), mine)
		want := map[string]string{"theirs": "yes"}
		if test.wins {
			require.NoError(t, err)
			want = map[string]string{"mine": "yes"}
		} else {
			require.True(t, apierrors.IsInvalid(err), "%T: %v", mine, err)
			require.ErrorContains(t, err, "metadata.resourceVersion")
			require.ErrorContains(t, err, "must be specified for an update")
		}
		require.Equal(t, want, onServer(s, test.object).GetLabels(), "%T", mine)
	}
}

// attempt is one run of a reconciler: it reads, changes what it has read, and writes.
func attempt(ctx context.Context, from client.Reader, to client.Writer, key client.ObjectKey) error {
	var p v1alpha1.Process
	if err := from.Get(ctx, key, &p); err != nil {
		return err
	}
	mark(&p, "mine", "yes")
	return to.Update(ctx, &p)
}

// A run that is refused with a conflict returns the error. The queue brings the key again, later, and by then the cache
// may show what the other has written. Nothing else is needed, and the change of the other is kept.
//
// covers: S0-40
func TestAConflictIsReturned(t *testing.T) {
	s := newStage(t)
	c := s.cached(nil)
	web := s.process("web")
	s.create(web)
	c.seesVersion(web)
	c.wire.hold()
	elsewhere(s, web, func(p *v1alpha1.Process) { mark(p, "theirs", "yes") })
	var outcomes []error
	done := make(chan struct{})
	run := func(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
		err := attempt(ctx, c, c, r.NamespacedName)
		outcomes = append(outcomes, err)
		switch {
		case err != nil:
			c.wire.release()
		case done != nil:
			close(done)
			done = nil
		}
		return reconcile.Result{}, err
	}
	ended := done
	controls, err := controller.NewUnmanaged("conflict", controller.Options{Reconciler: reconcile.Func(run),
		SkipNameValidation: ptr.To(true), Logger: logr.Discard()})
	require.NoError(t, err)
	require.NoError(t, controls.Watch(source.Kind(c.cache, &v1alpha1.Process{},
		&handler.TypedEnqueueRequestForObject[*v1alpha1.Process]{})))
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() { over <- controls.Start(ctx) }()
	<-ended
	cancel()
	require.NoError(t, <-over)
	require.True(t, apierrors.IsConflict(outcomes[0]), "%v", outcomes[0])
	require.True(t, apierrors.IsConflict(errors.Join(errors.New("save"), outcomes[0])), "also when it is wrapped")
	require.Equal(t, map[string]string{"mine": "yes", "theirs": "yes"}, onServer(s, web).Labels)
}

// To try again at once, as RetryOnConflict does, is of use to who reads from the server. Who reads from a cache that is
// behind reads the same again, and is refused as often as it tries. After a conflict a run may read from the server,
// with what a manager calls the APIReader, and needs no cache that has caught up.
//
// covers: S0-40 S0-41
func TestAfterAConflictAskTheServer(t *testing.T) {
	s := newStage(t)
	c := s.cached(nil)
	web := s.process("web")
	s.create(web)
	c.seesVersion(web)
	c.wire.hold()
	elsewhere(s, web, func(p *v1alpha1.Process) { mark(p, "theirs", "yes") })
	key := client.ObjectKeyFromObject(web)
	c.wire.requests()

	quick := backoff.Backoff{Steps: 5, Duration: time.Millisecond}
	err := retry.RetryOnConflict(quick, func() error { return attempt(t.Context(), c, c, key) })
	require.True(t, apierrors.IsConflict(err), "after five times: %v", err)
	const put = "PUT processes/web"
	require.Equal(t, []string{put, put, put, put, put}, c.wire.requests())

	apiReader := client.Reader(s.live)
	require.NoError(t, attempt(t.Context(), apiReader, c, key))
	var shown v1alpha1.Process
	require.NoError(t, c.Get(t.Context(), key, &shown))
	require.Empty(t, shown.Labels, "the cache shows neither write")
	require.Equal(t, map[string]string{"mine": "yes", "theirs": "yes"}, onServer(s, web).Labels)
}

// A deletion can name the object that it is about. Of another UID, or of another version, nothing is deleted. The name
// alone is no object: the next one of that name has another UID.
//
// covers: C-38
func TestADeletionWithPreconditions(t *testing.T) {
	s := newStage(t)
	first := s.process("web")
	s.create(first)
	require.NoError(t, s.live.Delete(t.Context(), copyOf(first)))
	second := s.process("web")
	s.create(second)
	require.NotEqual(t, first.UID, second.UID)
	old := copyOf(second)
	elsewhere(s, second, func(p *v1alpha1.Process) { mark(p, "theirs", "yes") })

	remove := func(uid *types.UID, version *string) error {
		return s.live.Delete(t.Context(), copyOf(second), client.Preconditions{UID: uid, ResourceVersion: version})
	}
	err := remove(&first.UID, nil)
	require.True(t, apierrors.IsConflict(err), "%v", err)
	require.ErrorContains(t, err, "the UID in the precondition ("+string(first.UID)+") does not match")
	err = remove(&second.UID, &old.ResourceVersion)
	require.True(t, apierrors.IsConflict(err), "%v", err)
	require.ErrorContains(t, err, "the ResourceVersion in the precondition")
	require.NoError(t, s.live.Delete(t.Context(), old), "the version in the object that is passed is none")
	err = s.live.Get(t.Context(), client.ObjectKeyFromObject(second), copyOf(second))
	require.True(t, apierrors.IsNotFound(err), "%v", err)
}

// What comes back is what was stored, and that need not be what was sent: the schema has defaults, and admission may
// change anything. Who writes the same again each time it sees a difference will write for ever.
//
// covers: S0-35
func TestWhatIsStoredIsNotWhatWasSent(t *testing.T) {
	s := newStage(t)
	s.policy(`Object{metadata: Object.metadata{labels: {"team": "red"}}, spec: Object.spec{gracePeriodSeconds: 7}}`)
	web := s.process("web")
	mark(web, "team", "green")
	sent := copyOf(web)
	require.Eventually(t, func() bool { // nothing announces that a policy is in effect
		tried := copyOf(sent)
		return s.live.Create(t.Context(), tried, client.DryRunAll) == nil && tried.Labels["team"] == "red"
	}, time.Minute, 20*time.Millisecond)

	s.create(web)
	require.NotEqual(t, sent.Spec, web.Spec)
	require.Equal(t, v1alpha1.RestartAlways, web.Spec.RestartPolicy, "a default")
	require.Equal(t, int32(7), *web.Spec.GracePeriodSeconds, "the policy's, where the default is 10")
	require.Equal(t, "red", web.Labels["team"], "another value than the one that was sent")

	before := web.ResourceVersion
	web.Labels["team"] = "green"
	require.NoError(t, s.live.Update(t.Context(), web), "no error says that it was changed back")
	require.Equal(t, "red", web.Labels["team"])
	require.Equal(t, before, web.ResourceVersion, "and so nothing was written")
}

// policy has the server change each Process of the test's namespace that is written, by an expression.
func (s *stage) policy(expression string) {
	s.t.Helper()
	name := "processes." + lab.Suffix() + ".scratch.example.com"
	policy := &admission.MutatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: admission.MutatingAdmissionPolicySpec{
			ReinvocationPolicy: admission.NeverReinvocationPolicy,
			MatchConstraints: &admission.MatchResources{
				NamespaceSelector: &metav1.LabelSelector{
					MatchLabels: map[string]string{"kubernetes.io/metadata.name": s.Namespace}},
				ResourceRules: []admission.NamedRuleWithOperations{{RuleWithOperations: admission.RuleWithOperations{
					Operations: []admission.OperationType{admission.Create, admission.Update},
					Rule: admission.Rule{APIGroups: []string{v1alpha1.GroupVersion.Group},
						APIVersions: []string{v1alpha1.GroupVersion.Version}, Resources: []string{"processes"}},
				}}},
			},
			Mutations: []admission.Mutation{{PatchType: admission.PatchTypeApplyConfiguration,
				ApplyConfiguration: &admission.ApplyConfiguration{Expression: expression}}},
		}}
	binding := &admission.MutatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: admission.MutatingAdmissionPolicyBindingSpec{PolicyName: name}}
	for _, o := range []client.Object{policy, binding} {
		s.create(o)
		s.t.Cleanup(func() { require.NoError(s.t, s.live.Delete(context.Background(), o)) })
	}
}

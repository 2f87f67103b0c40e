package claims

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	apply "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/applyconfiguration/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// An object without a finalizer is gone with the answer to its deletion. A later read has a 404, so that a run has the
// name alone. The deletion gives the event a version of its own, newer than the last one that could be read.
//
// covers: S0-57 B-88
func TestADeletionWithoutFinalizers(t *testing.T) {
	s := newSite(t)
	p := made(s, s.process("web"))
	resp, body := s.Do(http.MethodDelete, s.pathOf(p), nil)
	require.Equal(t, http.StatusOK, resp.StatusCode)
	var answer metav1.Status
	require.NoError(t, json.Unmarshal(body, &answer))
	require.Equal(t, "Status", answer.Kind)
	require.Equal(t, p.UID, answer.Details.UID)
	s.gone(p)

	last := s.followFrom(&v1alpha1.ProcessList{}, p.ResourceVersion).goes(p.Name)
	require.NotEqual(t, p.ResourceVersion, last.object.GetResourceVersion())
	require.False(t, last.deleting, "it had no time in which it was being deleted")
}

// A deletion of an object with a finalizer is an update: the answer is 200 and the object, with the time of the request
// as its deletionTimestamp, and a generation that is one more. Nothing is deleted, however short the period, and
// however often it is asked for. A 202 is for those who ask with the old orphanDependents.
//
// covers: S0-58 B-89
func TestADeletionWithAFinalizer(t *testing.T) {
	s := newSite(t)
	p := made(s, s.process("web", ours))
	deletion := func(options string) (*http.Response, *v1alpha1.Process) {
		resp, body := s.Do(http.MethodDelete, s.pathOf(p), options)
		var answer v1alpha1.Process
		require.NoError(t, json.Unmarshal(body, &answer))
		require.Equal(t, "Process", answer.Kind)
		return resp, &answer
	}
	resp, first := deletion(`{}`)
	require.Equal(t, http.StatusOK, resp.StatusCode, "and not 202")
	require.Equal(t, p.UID, first.UID)
	require.Equal(t, p.Generation+1, first.Generation)
	require.Equal(t, new(int64), first.DeletionGracePeriodSeconds)
	asked, err := http.ParseTime(resp.Header.Get("Date"))
	require.NoError(t, err)
	require.WithinRange(t, first.DeletionTimestamp.Time, asked.Add(-time.Minute), asked,
		"the time of the request, and none at which the object will be gone")
	s.followFrom(&v1alpha1.ProcessList{}, p.ResourceVersion).marked(p.Name)

	for options, code := range map[string]int{
		`{}`:                         http.StatusOK,
		`{"gracePeriodSeconds":0}`:   http.StatusOK,
		`{"orphanDependents":false}`: http.StatusAccepted,
		`{"propagationPolicy":"Background","gracePeriodSeconds":0}`: http.StatusOK,
	} {
		resp, again := deletion(options)
		require.Equal(t, code, resp.StatusCode, options)
		require.Equal(t, first.DeletionTimestamp, again.DeletionTimestamp, options)
		require.Equal(t, first.ResourceVersion, again.ResourceVersion, "%s: nothing was written", options)
	}
	require.Equal(t, []string{ours}, onServer(s, p).Finalizers)
}

// While an object is being deleted its list of finalizers only gets shorter. An update, an apply, each kind of patch,
// and one finalizer for another are refused.
//
// covers: B-84 S0-58
func TestNoFinalizerIsAddedToADeletion(t *testing.T) {
	s := newSite(t)
	p := deleted(s, made(s, s.process("web", ours)))
	for what, add := range map[string]func() error{
		"update": func() error {
			now := onServer(s, p)
			now.Finalizers = []string{ours, theirs}
			return s.user.Update(t.Context(), now)
		},
		"merge patch": func() error { return s.patch(p, only(ours, theirs)) },
		"swap":        func() error { return s.patch(p, only(theirs)) },
		"JSON patch": func() error {
			return s.send(p, types.JSONPatchType, []operation{{"add", "/metadata/finalizers/-", theirs}})
		},
		"apply": func() error {
			says := apply.Process(p.Name, s.Namespace).WithFinalizers(theirs)
			return s.user.Apply(t.Context(), says, client.FieldOwner("north"))
		},
	} {
		words := refused(t, http.StatusUnprocessableEntity, add())
		require.Contains(t, words, "metadata.finalizers: Forbidden: no new finalizers can be added if the object is "+
			`being deleted, found new finalizers []string{"`+theirs+`"}`, what)
	}
	require.Equal(t, p.ResourceVersion, onServer(s, p).ResourceVersion, "nothing was written")
}

// Everything else of an object that is being deleted may still change: spec, status, labels. What can't change is that
// it is being deleted, and what says otherwise is ignored without an error. Its name is taken until it is gone.
//
// covers: B-84
func TestWhatADeletionLeavesOpen(t *testing.T) {
	s := newSite(t)
	p := deleted(s, made(s, s.process("web", ours)))
	require.NoError(t, s.send(p, types.MergePatchType, map[string]any{"spec": map[string]any{"args": []string{"9"}}}))
	require.NoError(t, s.patch(p, map[string]any{"labels": map[string]string{"app": "web"}}))
	now := onServer(s, p)
	require.Equal(t, []string{"9"}, now.Spec.Args)
	require.Equal(t, p.Generation+1, now.Generation)
	require.Equal(t, "web", now.Labels["app"])
	now.Status.ObservedGeneration = now.Generation
	require.NoError(t, s.user.Status().Update(t.Context(), now))
	require.Equal(t, now.Generation, onServer(s, p).Status.ObservedGeneration)

	for _, ignored := range []map[string]any{
		{"deletionTimestamp": nil}, {"deletionTimestamp": "2001-01-01T00:00:00Z"}, {"deletionGracePeriodSeconds": nil},
	} {
		require.NoError(t, s.patch(p, ignored), "%v", ignored)
		now := onServer(s, p)
		require.Equal(t, p.DeletionTimestamp, now.DeletionTimestamp, "%v", ignored)
		require.Equal(t, p.DeletionGracePeriodSeconds, now.DeletionGracePeriodSeconds, "%v", ignored)
	}
	words := refused(t, http.StatusUnprocessableEntity, s.patch(p, map[string]any{"deletionGracePeriodSeconds": 30}))
	require.Contains(t, words, "metadata.deletionGracePeriodSeconds: Invalid value: 30: field is immutable")

	words = refused(t, http.StatusConflict, s.user.Create(t.Context(), s.process(p.Name)))
	require.Equal(t, `object is being deleted: processes.scratch.example.com "web" already exists`, words)
	require.NoError(t, s.patch(p, only()))
	require.NotEqual(t, p.UID, made(s, s.process(p.Name)).UID)
}

// A finalizer's name is a qualified one. A domain before a slash is a habit: the server does not ask for it, and takes
// the two of the garbage collector from anybody. Of the kinds with a Go type in the server a name without a slash is
// refused, unless it is one of Kubernetes' own.
//
// covers: S0-58 B-86
func TestNamesOfFinalizers(t *testing.T) {
	s := newSite(t)
	const (
		odd    = "name is neither a standard finalizer name nor is it fully qualified"
		slash  = "a valid label key must consist of"
		prefix = "prefix part a lowercase RFC 1123 subdomain"
		long   = "name part must be no more than 63"
	)
	for name, answer := range map[string]struct{ custom, builtIn string }{
		ours:                                  {"", ""},
		"scratch.example.com/machine.north-1": {"", ""},
		"process":                             {"", odd},
		metav1.FinalizerOrphanDependents:      {"", ""},
		metav1.FinalizerDeleteDependents:      {"", ""},
		"foreground":                          {"", odd},
		"scratch.example.com/a/b":             {slash, slash},
		"Scratch.example.com/process":         {prefix, prefix},
		"scratch.example.com/" + strings.Repeat("n", 64): {long, long},
	} {
		for _, kind := range []struct {
			o    client.Object
			says string
		}{{s.process("named", name), answer.custom}, {s.configMap("named", name), answer.builtIn}} {
			err := s.user.Create(t.Context(), kind.o, client.DryRunAll)
			if kind.says == "" {
				require.NoError(t, err, "%T %s", kind.o, name)
				continue
			}
			require.Contains(t, refused(t, http.StatusUnprocessableEntity, err), kind.says, "%T", kind.o)
		}
	}
	both := s.configMap("both", metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents)
	words := refused(t, http.StatusUnprocessableEntity, s.user.Create(t.Context(), both, client.DryRunAll))
	require.Contains(t, words, "finalizer orphan and foregroundDeletion cannot be both set")
}

// Finalizers have no order: each is taken out when its owner is done, and the object goes with the last. The event of
// its end shows the object as it was stored, with the finalizer that was taken out, and without what else that request
// has changed: nobody ever sees that.
//
// covers: S0-58 B-84
func TestTheLastFinalizerIsStillInTheEvent(t *testing.T) {
	s := newSite(t)
	p := deleted(s, made(s, s.process("web", ours, theirs)))
	require.NoError(t, s.patch(p, only(ours)), "the second one first")
	require.Equal(t, []string{ours}, onServer(s, p).Finalizers)
	y := s.followFrom(&v1alpha1.ProcessList{}, onServer(s, p).ResourceVersion)
	require.NoError(t, s.patch(p, map[string]any{"finalizers": nil, "labels": map[string]string{"app": "web"}}))
	last := y.goes(p.Name)
	require.Len(t, y.events, 1, "nobody sees it without a finalizer")
	require.Equal(t, []string{ours}, last.finalizers)
	require.Empty(t, last.object.GetLabels())
}

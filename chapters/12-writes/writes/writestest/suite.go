package writestest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

// Saves saves what differs between an object as it was read and the same object as it should be.
type Saves = func(ctx context.Context, over writes.Writer, before, after client.Object) error

// Run has a way to save prove itself.
func Run(t *testing.T, save Saves) {
	t.Run("what differs is saved, status first, each with a lock", func(t *testing.T) { rapid.Check(t, saved(save)) })
	t.Run("who comes in between is not overwritten", func(t *testing.T) { rapid.Check(t, interrupted(save)) })
	t.Run("a program that ends has saved the status, or nothing", func(t *testing.T) { rapid.Check(t, ended(save)) })
	t.Run("what is no change of the object is refused", func(t *testing.T) { refused(t, save) })
}

// drawn is a Process. The name tells two draws of a test apart.
func drawn(t *rapid.T, name string) *v1alpha1.Process {
	p := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "u1"}}
	p.Spec.Command = "sleep"
	p.Spec.Args = rapid.SliceOfN(rapid.SampledFrom([]string{"1", "2"}), 0, 2).Draw(t, name+" args")
	p.Labels = rapid.MapOfN(rapid.SampledFrom([]string{"a", "b"}), rapid.SampledFrom([]string{"", "x"}), 0, 2).
		Draw(t, name+" labels")
	p.Finalizers = rapid.SliceOfN(rapid.SampledFrom([]string{"f/1", "f/2"}), 0, 2).Draw(t, name+" finalizers")
	p.Status.Restarts = rapid.Int32Range(0, 2).Draw(t, name+" restarts")
	if rapid.Bool().Draw(t, name+" has a PID") {
		pid := rapid.Int32Range(1, 2).Draw(t, name+" pid")
		p.Status.PID = &pid
	}
	return p
}

// scene is an object as it was read and as it should be, in a world.
type scene struct {
	*world
	before, after, was *v1alpha1.Process
	key                client.ObjectKey
}

func newScene(t *rapid.T) *scene {
	w, err := newWorld(drawn(t, "before"))
	require.NoError(t, err)
	s := &scene{world: w, key: client.ObjectKey{Namespace: "default", Name: "web"}}
	s.before, err = w.read(t.Context(), s.key)
	require.NoError(t, err)
	s.was = s.before.DeepCopy()
	s.after = s.before.DeepCopy()
	wanted := drawn(t, "after")
	s.after.Spec, s.after.Status = wanted.Spec, wanted.Status
	s.after.Labels, s.after.Finalizers = wanted.Labels, wanted.Finalizers
	return s
}

// parts are what the requests are to be about.
func (s *scene) parts() (all []string) {
	if !equality.Semantic.DeepEqual(s.before.Status, s.after.Status) {
		all = append(all, "status")
	}
	rest := s.after.DeepCopy()
	rest.Status = s.before.Status
	if !equality.Semantic.DeepEqual(s.before, rest) {
		all = append(all, "root")
	}
	return all
}

// same says whether two have what a run may change in common.
func same(t *rapid.T, want, got *v1alpha1.Process) {
	t.Helper()
	for _, one := range [][2]any{{want.Spec, got.Spec}, {want.Status, got.Status}, {want.Labels, got.Labels},
		{want.Finalizers, got.Finalizers}} {
		require.True(t, equality.Semantic.DeepEqual(one[0], one[1]), "%v, and it is %v", one[0], one[1])
	}
}

func saved(save Saves) func(*rapid.T) {
	return func(t *rapid.T) {
		s := newScene(t)
		parts, want := s.parts(), s.after.DeepCopy()
		require.NoError(t, save(t.Context(), s.over, s.before, s.after))
		require.Equal(t, s.was, s.before, "what was read is not changed")
		stored, err := s.read(t.Context(), s.key)
		require.NoError(t, err)
		same(t, want, stored)
		same(t, want, s.after)
		require.Equal(t, stored.ResourceVersion, s.after.ResourceVersion, "the answer is in it")
		require.Len(t, s.sent, len(parts), "%v: %v", parts, s.sent)
		for i, part := range parts {
			lone(t, s.sent[i], part)
		}
	}
}

// lone expects a merge patch of one part, with a version.
func lone(t *rapid.T, sent, part string) {
	t.Helper()
	to, rest, _ := strings.Cut(sent, " ")
	media, body, _ := strings.Cut(rest, " ")
	require.Equal(t, []string{part, "application/merge-patch+json"}, []string{to, media})
	var patch map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &patch))
	metadata, _ := patch["metadata"].(map[string]any)
	require.NotEmpty(t, metadata["resourceVersion"], body)
	_, status := patch["status"]
	require.Equal(t, part == "status", status, body)
	if part == "status" {
		require.Len(t, patch, 2, body)
		require.Len(t, metadata, 1, body)
	}
	for _, servers := range []string{"managedFields", "generation", "uid", "creationTimestamp"} {
		require.NotContains(t, metadata, servers)
	}
}

func interrupted(save Saves) func(*rapid.T) {
	return func(t *rapid.T) {
		s := newScene(t)
		parts, wanted := s.parts(), s.after.DeepCopy()
		s.between = func() {
			other, err := s.read(t.Context(), s.key)
			require.NoError(t, err)
			other.Annotations = map[string]string{"by": "somebody"}
			require.NoError(t, s.WithWatch.Update(t.Context(), other))
		}
		err := save(t.Context(), s.over, s.before, s.after)
		require.LessOrEqual(t, len(s.sent), len(parts), "nothing is tried twice")
		require.Equal(t, len(parts) == 2, apierrors.IsConflict(err), "%v: %v", parts, err)
		if err != nil {
			same(t, wanted, s.after)
			require.Equal(t, s.was.ResourceVersion, s.after.ResourceVersion, "a failure leaves it as it was")
		}
		stored, err := s.read(t.Context(), s.key)
		require.NoError(t, err)
		require.Equal(t, len(parts) > 0, stored.Annotations["by"] == "somebody")
	}
}

func ended(save Saves) func(*rapid.T) {
	return func(t *rapid.T) {
		s := newScene(t)
		parts, want := s.parts(), s.after.DeepCopy()
		s.limit = rapid.IntRange(0, 1).Draw(t, "requests")
		err := save(t.Context(), s.over, s.before, s.after)
		require.Equal(t, len(parts) > s.limit, err != nil, "%v: %v", parts, err)
		if err != nil {
			require.ErrorIs(t, err, errEnded)
		}
		stored, err := s.read(t.Context(), s.key)
		require.NoError(t, err)
		if len(parts) == 2 && s.limit == 1 {
			require.True(t, equality.Semantic.DeepEqual(want.Status, stored.Status), "the status is saved")
			require.Equal(t, s.was.Labels, stored.Labels)
		}
		// The next program finds what is there, wants the same, and goes on.
		s.limit, s.sent = 100, nil
		next := stored.DeepCopy()
		next.Spec, next.Status, next.Labels, next.Finalizers = want.Spec, want.Status, want.Labels, want.Finalizers
		require.NoError(t, save(t.Context(), s.over, stored, next))
		stored, err = s.read(t.Context(), s.key)
		require.NoError(t, err)
		same(t, want, stored)
	}
}

func refused(t *testing.T, save Saves) {
	for name, change := range map[string]func(before, after *v1alpha1.Process){
		"another UID":  func(_, after *v1alpha1.Process) { after.UID = "u2" },
		"another name": func(_, after *v1alpha1.Process) { after.Name = "db" },
		"no version":   func(before, _ *v1alpha1.Process) { before.ResourceVersion = "" },
	} {
		p := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "u1"}}
		w, err := newWorld(p)
		require.NoError(t, err)
		before, err := w.read(t.Context(), client.ObjectKeyFromObject(p))
		require.NoError(t, err)
		after := before.DeepCopy()
		after.Status.Restarts = 7
		change(before, after)
		require.Error(t, save(t.Context(), w.over, before, after), name)
		require.Empty(t, w.sent, fmt.Sprint(name, ": nothing is sent"))
	}
}

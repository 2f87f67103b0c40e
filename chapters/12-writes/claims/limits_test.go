package claims

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// An object that is metadata alone can be read, deleted and patched. There is nothing to create or to update.
func TestMetadataAloneIsNotWritten(t *testing.T) {
	s := newStage(t)
	alone := &metav1.PartialObjectMetadata{ObjectMeta: s.named("web")}
	alone.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Process"))
	require.EqualError(t, s.live.Create(s.ctx, alone), "cannot create using only metadata")
	require.EqualError(t, s.live.Update(s.ctx, alone),
		"cannot update using only metadata -- did you mean to patch?")
	require.EqualError(t, s.live.Status().Update(s.ctx, alone),
		"cannot update status using only metadata -- did you mean to patch?")
}

// CreateOrUpdate reads an object by its name, has it changed, and writes it. A change of the name is refused.
func TestAMutationKeepsTheName(t *testing.T) {
	s := newStage(t)
	web := s.process("web")
	_, err := controllerutil.CreateOrUpdate(s.ctx, s.live, web, func() error {
		web.Name = "other"
		return nil
	})
	require.EqualError(t, err, "MutateFn cannot mutate object name and/or object namespace")
}

// A ConfigMap holds a mebibyte, and no request is larger than three. Of a kind that has no limit of its own, etcd's is
// one and a half, and the API server sends it no more than two.
func TestHowLargeAWriteMayBe(t *testing.T) {
	s := newStage(t)
	large := func(bytes int) error {
		return s.live.Create(s.ctx, &corev1.ConfigMap{ObjectMeta: s.named("large"),
			Data: map[string]string{"text": strings.Repeat("x", bytes)}})
	}
	err := large(1<<20 + 1)
	require.True(t, isCode(err, http.StatusUnprocessableEntity), "%v", err)
	require.ErrorContains(t, err, "Too long: may not be more than 1048576 bytes")
	err = large(3 << 20)
	require.True(t, isCode(err, http.StatusRequestEntityTooLarge), "%v", err)
	require.EqualError(t, err, "Request entity too large: limit is 3145728")

	for bytes, words := range map[int]string{
		1700 << 10: "etcdserver: request is too large",
		2100 << 10: "trying to send message larger than max",
	} {
		web := s.pods("web", "web=web:1")
		web.Template.Spec.Containers[0].Args = []string{strings.Repeat("x", bytes)}
		require.ErrorContains(t, s.live.Create(s.ctx, web), words)
	}
}

// The server makes a name from generateName only for an object that has none. A copy of one that was read has both, and
// what it is told then sounds as if the server had tried.
func TestANameBesideAGenerateName(t *testing.T) {
	s := newStage(t)
	first := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, GenerateName: "menu-"}}
	s.create(first)
	again := &corev1.ConfigMap{ObjectMeta: s.named(first.Name)}
	again.GenerateName = first.GenerateName
	err := s.live.Create(s.ctx, again)
	require.True(t, isCode(err, http.StatusConflict), "%v", err)
	require.EqualError(t, err, `configmaps "`+first.Name+`" already exists, the server was not able to generate a `+
		`unique name for the object`)
	again.Name = ""
	s.create(again)
	require.NotEqual(t, first.Name, again.Name)
}

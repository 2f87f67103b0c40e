package claims

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scheme"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// patience is how long a test waits for something that has to happen.
const patience = 30 * time.Second

// schemeOf is what upstream's serializers want of a scheme. Both schemes have it.
type schemeOf interface {
	runtime.ObjectTyper
	runtime.ObjectCreater
	runtime.ObjectDefaulter
}

// codecs implements runtime.NegotiatedSerializer with upstream's JSON serializer on a scheme.
type codecs struct{ scheme schemeOf }

func (c codecs) serializer() runtime.Serializer {
	return json.NewSerializerWithOptions(json.DefaultMetaFactory, c.scheme, c.scheme, json.SerializerOptions{})
}

func (c codecs) SupportedMediaTypes() []runtime.SerializerInfo {
	return []runtime.SerializerInfo{{MediaType: runtime.ContentTypeJSON, MediaTypeType: "application",
		MediaTypeSubType: "json", EncodesAsText: true, Serializer: c.serializer(),
		StreamSerializer: &runtime.StreamSerializerInfo{EncodesAsText: true, Serializer: c.serializer(),
			Framer: json.Framer}}}
}

func (c codecs) EncoderForVersion(encoder runtime.Encoder, gv runtime.GroupVersioner) runtime.Encoder {
	return runtime.WithVersionEncoder{Version: gv, Encoder: encoder, ObjectTyper: c.scheme}
}

func (c codecs) DecoderToVersion(decoder runtime.Decoder, _ runtime.GroupVersioner) runtime.Decoder {
	return filling{runtime.WithoutVersionDecoder{Decoder: decoder}, c.scheme}
}

// filling fills in defaults after it has decoded, as upstream's codec does.
type filling struct {
	runtime.Decoder
	scheme runtime.ObjectDefaulter
}

func (f filling) Decode(data []byte, kind *schema.GroupVersionKind, into runtime.Object) (
	runtime.Object, *schema.GroupVersionKind, error,
) {
	object, found, err := f.Decoder.Decode(data, kind, into)
	if err == nil {
		f.scheme.Default(object)
	}
	return object, found, err
}

// typed makes client-go's REST client for the book's kinds, on a scheme.
func (s *stage) typed(known schemeOf) *rest.RESTClient {
	s.t.Helper()
	config := kube.RESTConfig(s.t, s.Cluster.Cluster)
	config.APIPath, config.GroupVersion = "/apis", &v1alpha1.GroupVersion
	config.NegotiatedSerializer = codecs{known}
	client, err := rest.RESTClientForConfigAndClient(config, s.HTTPClient())
	require.NoError(s.t, err)
	return client
}

// known is our scheme with the kinds of the book, and what else it is given.
func known(also ...func(*scheme.Scheme)) *scheme.Scheme {
	s := scheme.New()
	s.AddKnownTypes(v1alpha1.GroupVersion, &v1alpha1.Process{}, &v1alpha1.ProcessList{})
	for _, add := range also {
		add(s)
	}
	return s
}

// withStatus has our scheme know what the server refuses in.
func withStatus(s *scheme.Scheme) { s.AddUnversionedTypes(metav1.Unversioned, &metav1.Status{}) }

// sleeper is a Process without apiVersion and kind: those are the scheme's affair.
func sleeper(name string) *v1alpha1.Process {
	return &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
}

// TestOurSchemeUnderARESTClient has client-go's REST client and upstream's JSON serializer create, read, list, watch
// and delete on our scheme, and read what the server refuses.
func TestOurSchemeUnderARESTClient(t *testing.T) {
	s := newStage(t)
	client := s.typed(known(withStatus, func(s *scheme.Scheme) {
		s.AddTypeDefaultingFunc(&v1alpha1.Process{}, func(o any) {
			o.(*v1alpha1.Process).Status.Phase = v1alpha1.PhasePending
		})
	}))
	ctx := t.Context()

	var made, got v1alpha1.Process
	err := client.Post().Namespace(s.Namespace).Resource("processes").Body(sleeper("a")).Do(ctx).Into(&made)
	require.NoError(t, err)
	require.NotEmpty(t, made.UID)
	require.NoError(t, client.Get().Namespace(s.Namespace).Resource("processes").Name("a").Do(ctx).Into(&got))
	require.Equal(t, made, got)
	require.Empty(t, got.Kind, "the type says it")
	require.Equal(t, v1alpha1.RestartAlways, got.Spec.RestartPolicy, "a default of the server's")
	require.Equal(t, v1alpha1.PhasePending, got.Status.Phase, "a default of the scheme's")
	object, err := client.Get().Namespace(s.Namespace).Resource("processes").Do(ctx).Get()
	require.NoError(t, err)
	require.IsType(t, &v1alpha1.ProcessList{}, object, "the scheme made it, from the answer's words")
	require.Len(t, object.(*v1alpha1.ProcessList).Items, 1)

	stream, err := client.Get().Namespace(s.Namespace).Resource("processes").VersionedParams(
		&metav1.ListOptions{Watch: true, ResourceVersion: made.ResourceVersion}, metav1.ParameterCodec).Watch(ctx)
	require.NoError(t, err)
	defer stream.Stop()
	err = client.Delete().Namespace(s.Namespace).Resource("processes").Name("a").
		Body(&metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: new(made.UID)}}).Do(ctx).Error()
	require.NoError(t, err)
	select {
	case event := <-stream.ResultChan():
		require.Equal(t, watch.Deleted, event.Type)
		require.IsType(t, &v1alpha1.Process{}, event.Object)
	case <-time.After(patience):
		t.Fatal("the watch says nothing")
	}

	bad := sleeper("b")
	bad.Spec.Command = ""
	err = client.Post().Namespace(s.Namespace).Resource("processes").Body(bad).Do(ctx).Error()
	require.True(t, apierrors.IsInvalid(err), "%v", err)
	require.ErrorContains(t, err, "spec.command")
}

// TestWithoutStatus shows what Status is for, and that the other kinds that upstream registers in each group version
// are for nothing that a client of JSON does: on a scheme that has none of them the same client creates, watches,
// deletes with options, and can't say why something was refused.
func TestWithoutStatus(t *testing.T) {
	s := newStage(t)
	without, ctx := s.typed(known()), t.Context()
	require.NoError(t, without.Post().Namespace(s.Namespace).Resource("processes").Body(sleeper("a")).Do(ctx).Error())
	stream, err := without.Get().Namespace(s.Namespace).Resource("processes").
		VersionedParams(&metav1.ListOptions{Watch: true}, metav1.ParameterCodec).Watch(ctx)
	require.NoError(t, err)
	defer stream.Stop()
	select {
	case event := <-stream.ResultChan():
		require.Equal(t, watch.Added, event.Type)
		require.IsType(t, &v1alpha1.Process{}, event.Object)
	case <-time.After(patience):
		t.Fatal("the watch says nothing")
	}
	other := metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: new(types.UID("another"))}}
	for name, c := range map[string]struct {
		client *rest.RESTClient
		told   string
	}{
		"without": {without, "the server reported a conflict"},
		"with":    {s.typed(known(withStatus)), "the UID in the precondition (another) does not match"},
	} {
		err = c.client.Delete().Namespace(s.Namespace).Resource("processes").Name("a").Body(&other).Do(ctx).Error()
		require.True(t, apierrors.IsConflict(err), "%s: the options arrive, and the code is told: %v", name, err)
		require.ErrorContains(t, err, c.told, name)
	}
}

// background runs something until it is stopped, at the end of the test at the latest.
func background(t *testing.T, run func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			require.NoError(t, err)
		}
	})
}

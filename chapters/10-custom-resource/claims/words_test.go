package claims

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// An object without a Go type is made of what JSON has: a number is an int64 or a float64. A copy of any other panics,
// and a field is asked for by the type that it has.
func TestWhatAnObjectWithoutATypeMayHold(t *testing.T) {
	web := &unstructured.Unstructured{Object: object{"spec": object{"gracePeriodSeconds": 5}}}
	require.PanicsWithError(t, "cannot deep copy int", func() { web.DeepCopy() })
	require.NoError(t, unstructured.SetNestedField(web.Object, int64(5), "spec", "gracePeriodSeconds"))
	web.DeepCopy()
	_, _, err := unstructured.NestedString(web.Object, "spec", "gracePeriodSeconds")
	require.EqualError(t, err, ".spec.gracePeriodSeconds accessor error: 5 is of the type int64, expected string")
}

// A Go type may say another type of a field than the object has, which was stored by an older version of the schema, or
// by hand. The conversion ends there.
func TestAFieldOfAnotherTypeThanInGo(t *testing.T) {
	for words, spec := range map[string]any{
		"cannot restore struct from: string": "sleep",
		"cannot restore slice from string":   object{"args": "60"},
		"cannot convert int64 to string":     object{"command": int64(5)},
		"unrecognized type: int32":           object{"gracePeriodSeconds": "5"},
	} {
		err := runtime.DefaultUnstructuredConverter.FromUnstructured(object{"spec": spec}, &v1alpha1.Process{})
		require.ErrorContains(t, err, words)
	}
}

// What is decoded says its kind and its version. Of JSON without them nobody knows the type.
func TestAnObjectWithoutAKind(t *testing.T) {
	var o unstructured.Unstructured
	err := o.UnmarshalJSON([]byte(`{"apiVersion":"v1"}`))
	require.EqualError(t, err, `Object 'Kind' is missing in '{"apiVersion":"v1"}'`)
}

// A type may be registered for two kinds, and a client does not guess which of them is meant. A type that is metadata
// alone has to say its kind.
func TestATypeOfTwoKinds(t *testing.T) {
	s := runtime.NewScheme()
	group := schema.GroupVersion{Group: "toys.example.com", Version: "v1"}
	s.AddKnownTypeWithName(group.WithKind("Doll"), &v1alpha1.Process{})
	s.AddKnownTypeWithName(group.WithKind("Kite"), &v1alpha1.Process{})
	_, err := apiutil.GVKForObject(&v1alpha1.Process{}, s)
	require.ErrorContains(t, err, "multiple GroupVersionKinds associated with Go type *v1alpha1.Process within the "+
		"Scheme, ")
	require.ErrorContains(t, err, "refusing to guess at one")
	_, err = apiutil.GVKForObject(&metav1.PartialObjectMetadata{}, s)
	require.ErrorContains(t, err, "unstructured object has no kind")
}

// The options of a request are of the request's group and version. A scheme that does not have them there, though it
// has them elsewhere, can't turn them into a query.
func TestOptionsAreOfTheGroup(t *testing.T) {
	s, toys := runtime.NewScheme(), schema.GroupVersion{Group: "toys.example.com", Version: "v1"}
	require.NoError(t, corev1.AddToScheme(s))
	s.AddKnownTypeWithName(toys.WithKind("Doll"), &v1alpha1.Process{})
	_, err := runtime.NewParameterCodec(s).EncodeParameters(&metav1.ListOptions{}, toys)
	require.EqualError(t, err, `v1.ListOptions is not suitable for converting to "toys.example.com/v1" in scheme "`+
		s.Name()+`"`)
	metav1.AddToGroupVersion(s, toys)
	query, err := runtime.NewParameterCodec(s).EncodeParameters(&metav1.ListOptions{LabelSelector: "a=b"}, toys)
	require.NoError(t, err)
	require.Equal(t, "a=b", query.Get("labelSelector"))
}

// A type of one's own has no code for protobuf. A client that was told to speak it can't send an object of the type.
func TestATypeWithoutProtobuf(t *testing.T) {
	s := runtime.NewScheme()
	require.NoError(t, v1alpha1.AddToScheme(s))
	err := protobuf.NewSerializer(s, s).Encode(&v1alpha1.Process{}, io.Discard)
	require.EqualError(t, err, "object *v1alpha1.Process does not implement the protobuf marshalling interface and "+
		"cannot be encoded to a protobuf message")
}

// partly is an API server that knows of a group whose own server does not answer.
type partly struct{}

// RoundTrip implements http.RoundTripper.
func (partly) RoundTrip(r *http.Request) (*http.Response, error) {
	body, code := "", http.StatusOK
	switch r.URL.Path {
	case "/api":
		body = `{"kind":"APIVersions","versions":["v1"]}`
	case "/apis":
		body = `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"metrics.k8s.io","versions":[` +
			`{"groupVersion":"metrics.k8s.io/v1beta1","version":"v1beta1"}]}]}`
	case "/api/v1":
		body = `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"configmaps","kind":"ConfigMap"}]}`
	default:
		code = http.StatusServiceUnavailable
	}
	return &http.Response{StatusCode: code, Request: r, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body))}, nil
}

// One aggregated server that is down makes the list of all kinds incomplete. What is there is there, and comes with the
// error. controller-runtime's mapper asks for one group at a time, and fails for that one.
func TestDiscoveryThatIsIncomplete(t *testing.T) {
	client := &http.Client{Transport: partly{}}
	config := &rest.Config{Host: "http://memory"}
	d, err := discovery.NewDiscoveryClientForConfigAndClient(config, client)
	require.NoError(t, err)
	groups, lists, err := d.ServerGroupsAndResources()
	const words = "unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: the server is " +
		"currently unable to handle the request"
	require.EqualError(t, err, words)
	require.Len(t, groups, 2)
	require.Len(t, lists, 1)

	mapper, err := apiutil.NewDynamicRESTMapper(config, client)
	require.NoError(t, err)
	mapping, err := mapper.RESTMapping(schema.GroupKind{Kind: "ConfigMap"})
	require.NoError(t, err)
	require.Equal(t, corev1.SchemeGroupVersion.WithResource("configmaps"), mapping.Resource)
	_, err = mapper.RESTMapping(schema.GroupKind{Group: "metrics.k8s.io", Kind: "NodeMetrics"}, "v1beta1")
	require.EqualError(t, err, "failed to get API group resources: "+words)
}

// A wait that is over says what ended it, and not what it waited for.
func TestAWaitDoesNotSayForWhat(t *testing.T) {
	never := func(context.Context) (bool, error) { return false, nil }
	err := wait.ExponentialBackoffWithContext(t.Context(), wait.Backoff{Steps: 1}, never)
	require.EqualError(t, err, "timed out waiting for the condition")
	require.True(t, wait.Interrupted(err))
	err = wait.PollUntilContextTimeout(t.Context(), time.Millisecond, 2*time.Millisecond, true, never)
	require.EqualError(t, err, "context deadline exceeded")
	require.True(t, wait.Interrupted(err))
}

// A quantity is a number and a suffix: 1G, 1Gi or 512k, and not 1GB or 512K. A Go type with a Quantity in it does not
// decode from another text, and an object of a built-in kind that has one is refused. A constant in the program panics.
func TestATextThatIsNoQuantity(t *testing.T) {
	const form = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
	for text, words := range map[string]string{
		"1GB": form, "2 Gi": form, "1,5": form, "much": form, "": form,
		"512K": "unable to parse quantity's suffix",
	} {
		_, err := resource.ParseQuantity(text)
		require.EqualError(t, err, words, text)
	}
	require.PanicsWithError(t, "cannot parse '1GB': "+form, func() { resource.MustParse("1GB") })
	var limits corev1.ResourceRequirements
	require.ErrorContains(t, json.Unmarshal([]byte(`{"limits":{"memory":"1GB"}}`), &limits), form)

	s := newStage(t)
	a := s.ask(http.MethodPost, "/api/v1/namespaces/"+s.Namespace+"/podtemplates", object{"apiVersion": "v1",
		"kind": "PodTemplate", "metadata": object{"name": "web"}, "template": object{"spec": object{"containers": []any{
			object{"name": "web", "image": "web:1", "resources": object{"limits": object{"memory": "1GB"}}}}}}})
	require.Equal(t, http.StatusBadRequest, a.Code)
	require.Contains(t, string(a.Body), "cannot be handled as a PodTemplate: "+form)
}

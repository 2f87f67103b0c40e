package claims

import (
	"encoding/json"
	"net/http"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// The API server keeps documents. It checks and completes a Process, gives it back to whoever asks, and starts no
// process. The document says its kind; where it is, the resource says. The two have to fit.
//
// covers: S0-01
func TestTheServerKeepsDocuments(t *testing.T) {
	s := newStage(t)
	made := s.must(http.MethodPost, s.path("processes"), process("web", nil))
	read := s.must(http.MethodGet, s.path("processes", "web"), nil)
	require.JSONEq(t, string(made.Body), string(read.Body), "what was stored, and nothing became of it")
	require.Empty(t, read.Field("status"))

	for _, path := range []string{"process", "Process", "Processes"} {
		require.Equal(t, http.StatusNotFound, s.ask(http.MethodGet, s.path(path), nil).Code, "%s is no resource", path)
	}
	lower := process("other", nil)
	lower["kind"] = "process"
	for path, body := range map[string]object{
		s.path("processsets"): process("other", nil), // another resource
		s.path("processes"):   lower,                 // no such kind
	} {
		a := s.ask(http.MethodPost, path, body)
		require.Equal(t, http.StatusUnprocessableEntity, a.Code, "%s", a.Body)
		require.Contains(t, a.Refusal()[0], "kind: Invalid value: ")
	}
}

// A kind from a CRD is served like one that is compiled in: the same requests, the same answers.
//
// covers: S0-02
func TestACustomKindIsServedLikeAnother(t *testing.T) {
	s := newStage(t)
	const applying = "Content-Type: application/apply-patch+yaml"
	configMap := object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": object{"name": "web"}}
	for collection, body := range map[string]object{
		"/api/v1/namespaces/" + s.Namespace + "/configmaps": configMap,
		s.path("processes"): process("web", nil),
	} {
		one := collection + "/web"
		label := object{"metadata": object{"labels": object{"team": "red"}}}
		fresh := with(body, object{"metadata": object{"name": "new"}})
		stale := with(body, object{"metadata": object{"name": "web", "resourceVersion": "1"}})
		remove := []byte(`[{"op":"remove","path":"/metadata/labels"}]`)
		for _, r := range []struct {
			method, path string
			body         any
			header       string
			code         int
		}{
			{http.MethodGet, one, nil, "", 404},
			{http.MethodPost, collection + "?dryRun=All", body, "", 201},
			{http.MethodPost, collection, body, "", 201},
			{http.MethodPost, collection, body, "", 409},
			{http.MethodGet, one, nil, "", 200},
			{http.MethodGet, collection + "?labelSelector=team=red&limit=1", nil, "", 200},
			{http.MethodGet, collection + "?watch=true&timeoutSeconds=1", nil, "", 200},
			{http.MethodPatch, one, label, "", 200},
			{http.MethodPatch, one, remove, "Content-Type: application/json-patch+json", 200},
			{http.MethodPatch, collection + "/new?fieldManager=x", fresh, applying, 201},
			{http.MethodPut, one, stale, "", 409},
			{http.MethodGet, collection, nil, "Accept: application/json;as=Table;v=v1;g=meta.k8s.io", 200},
			{http.MethodGet, one, nil, "Accept: application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", 200},
			{http.MethodDelete, one, nil, "", 200},
			{http.MethodDelete, collection, nil, "", 200},
		} {
			var headers []string
			if r.header != "" {
				headers = append(headers, r.header)
			}
			a := s.ask(r.method, r.path, r.body, headers...)
			require.Equal(t, r.code, a.Code, "%s %s: %s", r.method, r.path, a.Body)
		}
	}
	const merging = "Content-Type: application/strategic-merge-patch+json"
	a := s.ask(http.MethodPatch, s.path("processes", "web"), object{}, merging)
	require.Equal(t, http.StatusUnsupportedMediaType, a.Code, "that needs a Go type in the server: %s", a.Body)
}

// A group is a name space for kinds: two groups have a Process each, and their objects are not one another's. It is no
// namespace, and objects refer across groups.
//
// covers: S0-03
func TestAGroupIsANameSpaceForKinds(t *testing.T) {
	s := newStage(t)
	e := s.experiment(nil)
	s.must(http.MethodPost, s.path("processes"), process("web", nil))
	require.Equal(t, http.StatusNotFound, s.ask(http.MethodGet, e.at("v1alpha1", "web"), nil).Code)
	e.must(http.MethodPost, e.at("v1alpha1"), e.object("v1alpha1", "web", sleeping()))
	ours := s.must(http.MethodGet, s.path("processes", "web"), nil)
	theirs := e.must(http.MethodGet, e.at("v1alpha1", "web"), nil)
	require.Equal(t, ours.Field("metadata", "namespace"), theirs.Field("metadata", "namespace"))
	require.Equal(t, ours.Field("kind"), theirs.Field("kind"))
	require.NotEqual(t, ours.Field("metadata", "uid"), theirs.Field("metadata", "uid"))

	owner := object{"apiVersion": "scratch.example.com/v1alpha1", "kind": "Process", "name": "web",
		"uid": ours.Field("metadata", "uid")}
	owned := object{"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": object{"name": "log", "ownerReferences": []any{owner}}}
	s.must(http.MethodPost, "/api/v1/namespaces/"+s.Namespace+"/configmaps", owned)
}

// Metadata has one shape for all kinds, so what a client does with it works for kinds that it does not know. Some of it
// is the server's: a client that sets it is not heard.
//
// covers: S0-13
func TestMetadataIsTheSameForAllKinds(t *testing.T) {
	s := newStage(t)
	for collection, body := range map[string]object{
		"/api/v1/namespaces/" + s.Namespace + "/configmaps": {"apiVersion": "v1", "kind": "ConfigMap"},
		s.path("processes"): process("", nil),
	} {
		body["metadata"] = object{"generateName": "web-", "labels": object{"a": "b"}, "annotations": object{"c": "d e"},
			"finalizers": []any{"scratch.example.com/x"}, "uid": "mine", "creationTimestamp": "2001-01-01T00:00:00Z",
			"deletionTimestamp": "2001-01-01T00:00:00Z"}
		var made metav1.PartialObjectMetadata
		require.NoError(t, json.Unmarshal(s.must(http.MethodPost, collection, body).Body, &made))
		require.Regexp(t, "^web-[a-z0-9]{5}$", made.Name)
		require.Equal(t, s.Namespace, made.Namespace)
		require.Equal(t, map[string]string{"a": "b"}, made.Labels)
		require.Equal(t, []string{"scratch.example.com/x"}, made.Finalizers)
		require.NotEqual(t, "mine", string(made.UID))
		require.NotEqual(t, 2001, made.CreationTimestamp.Year())
		require.Nil(t, made.DeletionTimestamp)
		require.NotEmpty(t, made.ResourceVersion)

		one := collection + "/" + made.Name
		s.must(http.MethodDelete, one, nil)
		deleting := s.must(http.MethodGet, one, nil)
		require.NotEmpty(t, deleting.Field("metadata", "deletionTimestamp"), "it waits for its finalizer")
		s.must(http.MethodPatch, one, object{"metadata": object{"finalizers": nil}})
		require.Equal(t, http.StatusNotFound, s.ask(http.MethodGet, one, nil).Code)
	}
}

// inlined is a type as many are written, with an option that encoding/json does not have.
type inlined struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Upstream's types embed TypeMeta with an empty tag. The option inline is none of encoding/json, which embeds what has
// no name of its own either way: both give the same document.
//
// covers: C-52
func TestTypeMetaNeedsNoInline(t *testing.T) {
	for _, kind := range []any{corev1.ConfigMap{}, corev1.Pod{}, v1alpha1.Process{}} {
		field, ok := reflect.TypeOf(kind).FieldByName("TypeMeta")
		require.True(t, ok)
		tag, ok := field.Tag.Lookup("json")
		require.True(t, ok)
		require.Empty(t, tag, "%T", kind)
	}
	types := metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}
	name := metav1.ObjectMeta{Name: "menu"}
	old, err := json.Marshal(inlined{types, name})
	require.NoError(t, err)
	now, err := json.Marshal(corev1.ConfigMap{TypeMeta: types, ObjectMeta: name})
	require.NoError(t, err)
	require.JSONEq(t, string(now), string(old))
	for _, kind := range []any{&inlined{types, name}, &corev1.ConfigMap{TypeMeta: types, ObjectMeta: name}} {
		fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(kind)
		require.NoError(t, err)
		require.Equal(t, "ConfigMap", fields["kind"], "%T", kind)
	}
}

package claims

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	upstreams "k8s.io/client-go/restmapper"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// frozen answers each path as it was answered first, without aggregation, so that two mappers see one server although
// other tests install CRDs and remove them.
type frozen struct {
	next    http.RoundTripper
	mutex   sync.Mutex // guards what is below it
	answers map[string]frozenAnswer
}

type frozenAnswer struct {
	code int
	body []byte
}

func (f *frozen) RoundTrip(r *http.Request) (*http.Response, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	answer, known := f.answers[r.URL.Path]
	if !known {
		plain := r.Clone(r.Context())
		plain.Header.Set("Accept", "application/json")
		response, err := f.next.RoundTrip(plain)
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			return nil, err
		}
		answer = frozenAnswer{response.StatusCode, body}
		f.answers[r.URL.Path] = answer
	}
	return &http.Response{StatusCode: answer.code, Request: r, Body: io.NopCloser(bytes.NewReader(answer.body)),
		Header: http.Header{"Content-Type": {"application/json"}}}, nil
}

// discoveryClient makes client-go's client of discovery over a transport.
func (s *stage) discoveryClient(over http.RoundTripper) *discovery.DiscoveryClient {
	s.t.Helper()
	config := kube.RESTConfig(s.t, s.Cluster.Cluster)
	client, err := discovery.NewDiscoveryClientForConfigAndClient(config, &http.Client{Transport: over})
	require.NoError(s.t, err)
	return client
}

// TestEveryKindThatIsServed asks this chapter's mapper and client-go's about everything that the API server serves, and
// about names near to it: parts of it, what several groups have, and what is not there.
func TestEveryKindThatIsServed(t *testing.T) {
	s := newStage(t)
	still := &frozen{next: s.HTTPClient().Transport, answers: map[string]frozenAnswer{}}
	client := s.discoveryClient(still)
	theirs := upstreams.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client))
	ours := restmapper.New(&http.Client{Transport: still}, s.Server.String())
	_, lists, err := client.ServerGroupsAndResources()
	require.True(t, err == nil || discovery.IsGroupDiscoveryFailedError(err), "%v", err)
	asked := 0
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		require.NoError(t, err)
		for _, resource := range list.APIResources {
			requireSameAnswers(t, ours, theirs, gv, resource)
			asked++
		}
	}
	require.Greater(t, asked, 100)
	for _, wrong := range []schema.GroupVersionResource{
		{Resource: "nothings"}, {Group: "apps", Resource: "nothings"},
		{Group: "apps", Version: "v9", Resource: "deployments"},
		{Group: "nowhere.example.com", Version: "v1", Resource: "deployments"},
		{Version: "v9", Resource: "pods"}, {},
	} {
		requireSameResource(t, ours, theirs, wrong)
		requireSameKind(t, ours, theirs, schema.GroupKind{Group: wrong.Group, Kind: "Nothing"}, wrong.Version)
	}
}

// requireSameAnswers asks two mappers everything about a resource.
func requireSameAnswers(t *testing.T, ours, theirs meta.RESTMapper, gv schema.GroupVersion, r metav1.APIResource) {
	t.Helper()
	kind := schema.GroupKind{Group: gv.Group, Kind: r.Kind}
	requireSameKind(t, ours, theirs, kind, gv.Version)
	requireSameKind(t, ours, theirs, kind)
	requireSameKind(t, ours, theirs, kind, "v9", gv.Version, "v1")
	group, _, _ := strings.Cut(gv.Group, ".") // "storage" of storage.k8s.io
	for _, name := range []string{r.Name, r.SingularName, r.Kind} {
		for _, partial := range []schema.GroupVersionResource{
			gv.WithResource(name), {Group: gv.Group, Resource: name}, {Group: group, Resource: name},
			{Version: gv.Version, Resource: name}, {Resource: name},
		} {
			requireSameResource(t, ours, theirs, partial)
		}
	}
}

// requireSameKind asks two mappers where a kind is.
func requireSameKind(t *testing.T, ours, theirs meta.RESTMapper, kind schema.GroupKind, versions ...string) {
	t.Helper()
	what := fmt.Sprint(kind, versions)
	want, wantErr := theirs.RESTMapping(kind, versions...)
	got, err := ours.RESTMapping(kind, versions...)
	require.Equal(t, want, got, what)
	requireSameError(t, wantErr, err, what)
	wantAll, wantErr := theirs.RESTMappings(kind, versions...)
	all, err := ours.RESTMappings(kind, versions...)
	require.Equal(t, wantAll, all, what)
	requireSameError(t, wantErr, err, what)
}

// requireSameResource asks two mappers everything that can be asked of a partial resource.
func requireSameResource(t *testing.T, ours, theirs meta.RESTMapper, partial schema.GroupVersionResource) {
	t.Helper()
	requireSame(t, theirs.KindFor, ours.KindFor, partial)
	requireSame(t, theirs.KindsFor, ours.KindsFor, partial)
	requireSame(t, theirs.ResourceFor, ours.ResourceFor, partial)
	requireSame(t, theirs.ResourcesFor, ours.ResourcesFor, partial)
	requireSame(t, theirs.ResourceSingularizer, ours.ResourceSingularizer, strings.ToLower(partial.Resource))
}

func requireSame[Q, A any](t *testing.T, theirs, ours func(Q) (A, error), question Q) {
	t.Helper()
	want, wantErr := theirs(question)
	got, err := ours(question)
	require.Equal(t, want, got, "%#v", question)
	requireSameError(t, wantErr, err, question)
}

// Upstream's mapper has guesses that ours leaves out: kinds in lower case, and a list's kind as if it were a resource.
// The server serves none of the paths.
func TestWhatUpstreamGuesses(t *testing.T) {
	s := newStage(t)
	theirs := upstreams.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(
		s.discoveryClient(s.HTTPClient().Transport)))
	ours := s.mapper()
	for kind, resource := range map[string]string{
		"configmap": "configmaps", "ConfigMapList": "configmaplists", "List": "lists",
	} {
		guess, err := theirs.RESTMapping(schema.GroupKind{Kind: kind}, "v1")
		require.NoError(t, err)
		require.Equal(t, resource, guess.Resource.Resource)
		_, err = ours.RESTMapping(schema.GroupKind{Kind: kind}, "v1")
		require.True(t, meta.IsNoMatchError(err), "%v", err)
		if resource != "configmaps" {
			path := "/api/v1/namespaces/" + s.Namespace + "/" + resource
			require.Equal(t, http.StatusNotFound, s.ask(http.MethodGet, path, nil).Code)
		}
	}
}

// A mapper that asks again when it does not know a kind finds one whose CRD was installed after the mapper was made,
// and after it said no to it. A mapper that asked once does not, and client-go's asks again only when it is told to
// forget.
//
// covers: C-35
func TestAKindThatIsInstalledLater(t *testing.T) {
	s := newStage(t)
	access := kube.RESTConfig(t, s.Cluster.Cluster)
	groups, err := upstreams.GetAPIGroupResources(s.discoveryClient(s.HTTPClient().Transport))
	require.NoError(t, err)
	once := upstreams.NewDiscoveryRESTMapper(groups)
	lazy, err := apiutil.NewDynamicRESTMapper(access, s.HTTPClient())
	require.NoError(t, err)
	deferred := upstreams.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(
		s.discoveryClient(s.HTTPClient().Transport)))
	all := map[string]meta.RESTMapper{"ours": s.mapper(), "controller-runtime's": lazy, "one answer": once,
		"client-go's": deferred}
	var kind schema.GroupKind
	e := s.experiment(func(spec object) {
		kind = schema.GroupKind{Group: spec["group"].(string), Kind: "Process"}
		for name, m := range all {
			_, err := m.RESTMapping(kind, "v1alpha1")
			require.True(t, meta.IsNoMatchError(err), "%s: %v", name, err)
		}
	})
	for name, m := range all {
		mapping, err := m.RESTMapping(kind, "v1alpha1")
		if name == "ours" || name == "controller-runtime's" {
			require.NoError(t, err, name)
			require.Equal(t, schema.GroupVersionResource{Group: e.group, Version: "v1alpha1", Resource: "processes"},
				mapping.Resource, name)
			continue
		}
		require.True(t, meta.IsNoMatchError(err), "%s: %v", name, err)
		require.ErrorContains(t, err, `no matches for kind "Process" in version "`+e.group+`/v1alpha1"`)
	}
	deferred.Reset()
	_, err = deferred.RESTMapping(kind, "v1alpha1")
	require.NoError(t, err, "told to forget, it asks again")
}

// Kinds that tests and demos make are called as the book's own, and kubectl takes the first group that has what it is
// asked for. Theirs come after it in the alphabet, or whoever asks for processes meanwhile is told of theirs.
func TestOtherProcessesComeAfterTheBooks(t *testing.T) {
	s := newStage(t)
	demos, err := scenario.NewKind(&lab.Lab{Cluster: s.Cluster.Cluster})
	require.NoError(t, err)
	require.Greater(t, demos.GroupVersion.Group, v1alpha1.GroupVersion.Group)
	require.Greater(t, s.experiment(nil).group, v1alpha1.GroupVersion.Group)
}

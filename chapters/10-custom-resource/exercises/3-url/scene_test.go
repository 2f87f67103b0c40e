package url_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	neturl "net/url"
	"strings"
	"sync"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/exercises/3-url"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// documents have some of the entries as kube-apiserver serves them, and in its order: name, Kind, "-" if it is
// cluster-scoped, and for some subresources the group version of their Kind.
var documents = map[string]string{
	"/api/v1": `
		bindings Binding
		endpoints Endpoints
		events Event
		namespaces Namespace -
		namespaces/finalize Namespace -
		nodes Node -
		nodes/proxy NodeProxyOptions -
		pods Pod
		pods/binding Binding
		pods/eviction Eviction policy/v1
		pods/exec PodExecOptions
		pods/status Pod
		serviceaccounts ServiceAccount
		serviceaccounts/token TokenRequest authentication.k8s.io/v1`,
	"/apis/apps/v1": `
		deployments Deployment
		deployments/scale Scale autoscaling/v1
		deployments/status Deployment`,
	"/apis/autoscaling/v1": `
		horizontalpodautoscalers HorizontalPodAutoscaler
		horizontalpodautoscalers/status HorizontalPodAutoscaler`,
	"/apis/events.k8s.io/v1": `
		events Event`,
	"/apis/networking.k8s.io/v1": `
		ingressclasses IngressClass -
		ingresses Ingress
		networkpolicies NetworkPolicy`,
	"/apis/rbac.authorization.k8s.io/v1": `
		clusterroles ClusterRole -
		roles Role`,
	"/apis/zoo.example.com/v1": `
		mice Mouse
		zebra Zebra -`,
	"/apis/zoo.example.com/v2": `
		mousekind Mouse -`,
}

// server is an API server that keeps what it was asked for.
type server struct {
	mu        sync.Mutex // guards what follows
	documents map[string]string
	answers   map[string]answer // in the place of documents
	asked     []string
	during    func(path string) // called while a request is under way
}

type answer struct {
	body string
	err  error
}

func newServer() *server {
	s := &server{documents: map[string]string{}, answers: map[string]answer{}, during: func(string) {}}
	for path, entries := range documents {
		s.documents[path] = entries
	}
	return s
}

// Get implements Server.
func (s *server) Get(path string) ([]byte, error) {
	s.mu.Lock()
	s.asked = append(s.asked, "GET "+path)
	entries, exists := s.documents[path]
	instead, set := s.answers[path]
	during := s.during
	s.mu.Unlock()
	during(path)
	switch {
	case set:
		return []byte(instead.body), instead.err
	case path == "/api":
		return json.Marshal(metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"},
			Versions: []string{"v1"}})
	case path == "/apis":
		return json.Marshal(metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}})
	case !exists:
		return nil, fmt.Errorf("GET %s: %w", path, status(http.StatusNotFound))
	}
	return document(path, entries), nil
}

// status is the error of an answer that has no body of Kubernetes' own, as client-go makes it.
func status(code int) error {
	return apierrors.NewGenericServerResponse(code, "get", schema.GroupResource{}, "", "", 0, true)
}

// document writes an APIResourceList.
func document(path, entries string) []byte {
	list := metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"},
		GroupVersion: strings.TrimPrefix(strings.TrimPrefix(path, "/apis/"), "/api/")}
	for line := range strings.Lines(entries) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		e := metav1.APIResource{Name: words[0], Kind: words[1], Namespaced: true, Verbs: metav1.Verbs{"get"}}
		if !strings.Contains(e.Name, "/") {
			e.SingularName, e.Verbs = strings.ToLower(e.Kind), metav1.Verbs{"create", "delete", "get", "list", "watch"}
		}
		for _, word := range words[2:] {
			if e.Namespaced = word != "-"; e.Namespaced {
				gv, _ := schema.ParseGroupVersion(word)
				e.Group, e.Version = gv.Group, gv.Version
			}
		}
		list.APIResources = append(list.APIResources, e)
	}
	body, _ := json.Marshal(list)
	return body
}

// set changes what the server has at a path. No entries at all: it has nothing there.
func (s *server) set(path, entries string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.documents[path] = entries; entries == "" {
		delete(s.documents, path)
	}
}

// took are the requests since the last time.
func (s *server) took() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := strings.Join(s.asked, ", ")
	s.asked = nil
	if all == "" {
		return "no request"
	}
	return all
}

// scene is a Finder and its server.
type scene struct {
	t *testing.T
	*server
	finder *Finder
}

func begin(t *testing.T) *scene {
	s := newServer()
	return &scene{t, s, New(s)}
}

// kindOf reads "apps/v1 Deployment".
func kindOf(text string) schema.GroupVersionKind {
	gv, kind, _ := strings.Cut(text, " ")
	parsed, err := schema.ParseGroupVersion(gv)
	if err != nil {
		panic(err)
	}
	return parsed.WithKind(kind)
}

// What a kind without a resource has, and what a Find ends in that has not asked for it.
const (
	nobody  = "no match"
	unasked = ", with no request"
)

// found says what Find returned: "apps/v1 deployments", "v1 nodes, cluster-scoped", or why it is none.
func found(r Resource, err error) string {
	switch {
	case err == nil && r.Namespaced:
		return r.GroupVersion().String() + " " + r.Resource
	case err == nil:
		return r.GroupVersion().String() + " " + r.Resource + ", cluster-scoped"
	case meta.IsNoMatchError(err):
		return nobody
	}
	return fmt.Sprintf("an error: %v", err)
}

// clues are beliefs, by what singles them out.
type clues map[string]string

// finds asks for a kind, and expects a resource.
func (s *scene) finds(kind, want string, about clues) {
	s.t.Helper()
	got := found(s.finder.Find(kindOf(kind)))
	exercise.Expect(s.t, got == want, exercise.Verdict{Expected: fmt.Sprintf("%s: Find finds %s", kind, want),
		Happened: "it found " + got, PointsTo: about[got]})
}

// calls is finds for whoever looks at the name alone.
func (s *scene) calls(kind, want string, about clues) {
	s.t.Helper()
	got := found(s.finder.Find(kindOf(kind)))
	got = strings.TrimSuffix(got, ", cluster-scoped")
	exercise.Expect(s.t, got == want, exercise.Verdict{
		Expected: fmt.Sprintf("the resource of %s is called %s", kind, want),
		Happened: "it is called " + got, PointsTo: about[got]})
}

// asks asks for a kind, and expects a resource and requests. said is what has happened before.
func (s *scene) asks(said, kind, want, requests string, about clues) {
	s.t.Helper()
	s.took()
	got := found(s.finder.Find(kindOf(kind)))
	took := s.took()
	exercise.Expect(s.t, got == want && took == requests, exercise.Verdict{
		Expected: fmt.Sprintf("%s, Find of %s: %s, with %s", said, kind, want, requests),
		Happened: fmt.Sprintf("%s, with %s", got, took), PointsTo: about[got+", with "+took]})
}

// leads asks a resource for a path, and expects it as the API server reads it.
func leads(t *testing.T, r Resource, namespace, name, want string, about clues) {
	t.Helper()
	path, err := r.URL(namespace, name)
	call := fmt.Sprintf("URL of %s in namespace %q with name %q", r.Resource, namespace, name)
	exercise.Expect(t, err == nil, exercise.Verdict{Expected: fmt.Sprintf("%s: %s", call, want),
		Happened: fmt.Sprintf("an error: %v", err)})
	u, err := neturl.ParseRequestURI(path)
	exercise.Expect(t, err == nil, exercise.Verdict{Expected: call + ": a path that can stand in a request",
		Happened: fmt.Sprintf("%q can't: %v", path, err)})
	got := u.Path
	switch {
	case u.RawQuery != "" || u.ForceQuery:
		got = fmt.Sprintf("%s and the query %q", u.Path, u.RawQuery)
	case u.EscapedPath() != path:
		got = path
	}
	exercise.Expect(t, got == want, exercise.Verdict{
		Expected: fmt.Sprintf("%s: a path that the API server reads as %q", call, want),
		Happened: fmt.Sprintf("the path is %q, and it reads %q", path, got), PointsTo: about[got]})
}

// refuses asks a resource for a path that there is not.
func refuses(t *testing.T, r Resource, namespace, name string, about clues) {
	t.Helper()
	path, err := r.URL(namespace, name)
	exercise.Expect(t, err != nil, exercise.Verdict{
		Expected: fmt.Sprintf("URL of %s in namespace %q with name %q: an error", r.Resource, namespace, name),
		Happened: fmt.Sprintf("the path %q", path), PointsTo: about[path]})
}

// The resources whose paths are asked for.
var (
	pods        = Resource{schema.GroupVersionResource{Version: "v1", Resource: "pods"}, true}
	deployments = Resource{schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, true}
	nodes       = Resource{schema.GroupVersionResource{Version: "v1", Resource: "nodes"}, false}
	roles       = Resource{schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1",
		Resource: "clusterroles"}, false}
)

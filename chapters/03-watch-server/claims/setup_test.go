package claims

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

func TestMain(m *testing.M) { cluster.Main(m) }

// side is one of the two servers that a test asks the same of.
type side struct {
	name       string
	url        string
	namespace  string
	kubeconfig string
	http       *http.Client
	config     *rest.Config
	store      *storage.Store         // nil for the real one
	server     *apiserver.Server      // nil for the real one
	cut        func()                 // breaks all connections to it; nil for the real one
	requests   func() []*http.Request // what it was asked so far; nil for the real one
	cluster    *cluster.Cluster       // nil for ours
	runner     func() cluster.Kubectl // built when it is first asked for
}

// collection is the URL of the namespace's ConfigMaps.
func (s side) collection() string {
	return s.url + "/api/v1/namespaces/" + s.namespace + "/configmaps"
}

// clientset is client-go's, whose connections end with the test.
func (s side) clientset(t testing.TB) kubernetes.Interface {
	t.Helper()
	return kube.Clientset(t, s.config)
}

// ours starts the chapter's server on a port of its own.
func ours(t testing.TB, options storage.Options, resources ...apiserver.Resource) side {
	t.Helper()
	if len(resources) == 0 {
		resources = []apiserver.Resource{apiserver.ConfigMaps}
	}
	store := storage.New(options)
	handler := apiserver.New(store, apiserver.Options{}, resources...)
	var mu sync.Mutex
	var requests []*http.Request
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		requests = append(requests, r)
		mu.Unlock()
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(path, []byte(kubeconfigFor(server.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	return side{
		runner: sync.OnceValue(func() cluster.Kubectl { return cluster.KubectlFor(t, path, "test") }),
		name:   "ours", url: server.URL, namespace: "test", kubeconfig: path, store: store, server: handler,
		cut:  server.CloseClientConnections,
		http: server.Client(), config: &rest.Config{Host: server.URL, QPS: -1},
		requests: func() []*http.Request {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(requests)
		},
	}
}

// kubeconfigFor is all that kubectl needs to talk to a server that knows no users.
func kubeconfigFor(url string) string {
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "Config", "current-context": "test",
		"clusters": [{"name": "test", "cluster": {"server": %q}}],
		"contexts": [{"name": "test", "context": {"cluster": "test"}}]}`, url)
}

// upstream is the real API server, with a namespace for the test.
func upstream(t testing.TB) side {
	t.Helper()
	c := cluster.New(t)
	return side{
		cluster: c, runner: sync.OnceValue(func() cluster.Kubectl {
			return cluster.KubectlFor(t, c.Kubeconfig, c.Namespace)
		}),
		name: "kube-apiserver", url: c.Server.String(), namespace: c.Namespace, kubeconfig: c.Kubeconfig,
		http: c.HTTPClient(), config: kube.RESTConfig(t, c.Cluster),
	}
}

// onBoth runs a test against ours and against the real one.
func onBoth(t *testing.T, test func(t *testing.T, s side)) {
	t.Helper()
	t.Run("ours", func(t *testing.T) { test(t, ours(t, storage.Options{})) })
	t.Run("kube-apiserver", func(t *testing.T) { test(t, upstream(t)) })
}

// kubectl runs it against a side, in the test's namespace, and returns all that it printed.
func (s side) kubectl(t testing.TB, stdin string, args ...string) (string, error) {
	t.Helper()
	return s.runner().Try(stdin, args...)
}

// ask sends a JSON request to a side and decodes the answer.
func (s side) ask(t testing.TB, method, url, body string, headers ...string) (int, map[string]any) {
	t.Helper()
	response, raw := cluster.Do(t, s.http, method, url, body, headers...)
	var answer map[string]any
	_ = json.Unmarshal(raw, &answer)
	return response.StatusCode, answer
}

// version is the resourceVersion of an object or a list, as the number that clients must not take it for.
func version(t testing.TB, o map[string]any) uint64 {
	t.Helper()
	metadata, _ := o["metadata"].(map[string]any)
	n, err := strconv.ParseUint(fmt.Sprint(metadata["resourceVersion"]), 10, 64)
	require.NoError(t, err, "%v", o)
	return n
}

// events opens a watch and reads its lines until f says that it has had enough. A watch in these
// tests ends by itself after 20 seconds, so a wrong expectation fails instead of waiting.
func (s side) events(t testing.TB, url string, f func(line []byte) (more bool)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", url+"&watch=true&timeoutSeconds=20", nil)
	require.NoError(t, err)
	response, err := s.http.Do(r)
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, 200, response.StatusCode)
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if !f(lines.Bytes()) {
			return
		}
	}
	t.Errorf("the watch ended before the test was content: %v", lines.Err())
}

// install makes a resource that was not served before, and returns the URL of its collection and its apiVersion. Its
// kind is Thing.
func (s side) install(t *testing.T) (collection, apiVersion string) {
	t.Helper()
	if s.cluster != nil {
		path := s.cluster.For(t).NewKind()
		return s.url + path, strings.Split(path, "/")[2] + "/v1"
	}
	s.server.Install(apiserver.Resource{Group: "new.example.com", Version: "v1", Plural: "things", Kind: "Thing"})
	return s.url + "/apis/new.example.com/v1/namespaces/" + s.namespace + "/things", "new.example.com/v1"
}

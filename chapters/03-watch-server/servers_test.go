package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane"
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
}

// collection is the URL of the namespace's ConfigMaps.
func (s side) collection() string {
	return s.url + "/api/v1/namespaces/" + s.namespace + "/configmaps"
}

// clientset is client-go's, whose connections end with the test.
func (s side) clientset(t testing.TB) kubernetes.Interface {
	t.Helper()
	client, err := rest.HTTPClientFor(s.config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { utilnet.CloseIdleConnectionsFor(client.Transport) })
	set, err := kubernetes.NewForConfigAndClient(s.config, client)
	if err != nil {
		t.Fatal(err)
	}
	return set
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
	if err := os.WriteFile(path, []byte(plainKubeconfig(server.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	return side{
		name: "ours", url: server.URL, namespace: "test", kubeconfig: path, store: store, server: handler, cut: server.CloseClientConnections,
		http: server.Client(), config: &rest.Config{Host: server.URL, QPS: -1},
		requests: func() []*http.Request {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(requests)
		},
	}
}

// upstream is the real API server, with a namespace for the test.
func upstream(t testing.TB) side {
	t.Helper()
	c := cluster.New(t)
	return side{
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

var kubectlOnce = sync.OnceValues(func() (string, error) {
	dir, err := controlplane.Ensure(context.Background(), controlplane.NewDisplay(os.Stderr), controlplane.Kubectl)
	return filepath.Join(dir, "kubectl"), err
})

// kubectl runs it against a side, in the test's namespace, and returns all that it printed.
func (s side) kubectl(t testing.TB, stdin string, args ...string) (string, error) {
	t.Helper()
	command := s.kubectlCommand(t, t.Context(), args...)
	command.Stdin = strings.NewReader(stdin)
	out, err := command.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("kubectl %s: %w", strings.Join(args, " "), err)
	}
	return string(out), err
}

// kubectlCommand is the command, with a discovery cache of its own: the reader's is left alone.
func (s side) kubectlCommand(t testing.TB, ctx context.Context, args ...string) *exec.Cmd {
	t.Helper()
	binary, err := kubectlOnce()
	if err != nil {
		t.Fatal(err)
	}
	args = append([]string{"--kubeconfig", s.kubeconfig, "--cache-dir", filepath.Dir(s.kubeconfig) + "/cache-" + s.name, "-n", s.namespace}, args...)
	return exec.CommandContext(ctx, binary, args...)
}

// runToEnd runs a program that is expected to end by itself, soon. It is stopped after ten seconds.
func runToEnd(t testing.TB, program string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, program, args...)
	command.Dir = t.TempDir()
	out, err := command.CombinedOutput()
	return string(out), err
}

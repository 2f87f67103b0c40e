package claims

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/build"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// reader passes on what only reads, for who has its token, and writes down what is read.
type reader struct {
	server *httptest.Server
	token  string

	mu      sync.Mutex
	watched []string
}

// newReader makes one in front of the cluster, which says when a path was read.
func newReader(t *testing.T, c *cluster.Cluster, until string) (r *reader, read <-chan struct{}) {
	r = &reader{token: rand.Text()}
	seen := make(chan struct{})
	once := sync.OnceFunc(func() { close(seen) })
	quiet := log.New(io.Discard, "", 0) // its client is killed at the end
	proxy := &httputil.ReverseProxy{
		ErrorLog: quiet,
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(c.Server)
			p.Out.Header.Del("Authorization")
		},
		Transport:     c.HTTPClient().Transport,
		FlushInterval: -1,
	}
	r.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Header.Get("Authorization") != "Bearer "+r.token || q.Method != http.MethodGet {
			http.Error(w, "it only reads", http.StatusForbidden)
			return
		}
		r.mu.Lock()
		if q.URL.Query().Get("watch") != "" {
			r.watched = append(r.watched, path.Base(q.URL.Path))
		}
		r.mu.Unlock()
		if q.URL.Path == until {
			once()
		}
		proxy.ServeHTTP(w, q)
	}))
	r.server.Config.ErrorLog = quiet
	r.server.StartTLS()
	t.Cleanup(r.server.Close)
	return r, seen
}

// kubeconfig writes how it is reached.
func (r *reader) kubeconfig(t *testing.T) string {
	file := filepath.Join(t.TempDir(), "kubeconfig")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: r.server.Certificate().Raw})
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, `
apiVersion: v1
kind: Config
current-context: reader
contexts: [{name: reader, context: {cluster: reader, user: reader}}]
clusters: [{name: reader, cluster: {server: %q, certificate-authority-data: %s}}]
users: [{name: reader, user: {token: %q}}]
`, r.server.URL, base64.StdEncoding.EncodeToString(certificate), r.token), 0o600))
	return file
}

// The controller of HorizontalPodAutoscalers watches these and Pods, and no Deployments: what it scales may be of any
// kind, and is read by its scale subresource, each time.
//
// covers: B-52
func TestTheAutoscalerWatchesNoDeployments(t *testing.T) {
	c := cluster.New(t)
	apps := "/apis/apps/v1/namespaces/" + c.Namespace + "/deployments"
	labels := map[string]any{"app": "web"}
	c.Must(http.MethodPost, apps, map[string]any{"metadata": map[string]any{"name": "web"}, "spec": map[string]any{
		"replicas": 1, "selector": map[string]any{"matchLabels": labels}, "template": map[string]any{
			"metadata": map[string]any{"labels": labels},
			"spec":     map[string]any{"containers": []any{map[string]any{"name": "web", "image": "web"}}}}}}, nil)
	c.Must(http.MethodPost, "/apis/autoscaling/v2/namespaces/"+c.Namespace+"/horizontalpodautoscalers", map[string]any{
		"metadata": map[string]any{"name": "web"}, "spec": map[string]any{"maxReplicas": 2,
			"scaleTargetRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}}}, nil)

	assets, err := build.Ensure(t.Context(), term.Quiet(), plane.KubeControllerManager)
	require.NoError(t, err)
	r, read := newReader(t, c, apps+"/web/scale")
	manager := exec.CommandContext(t.Context(), filepath.Join(assets, string(plane.KubeControllerManager)),
		"--kubeconfig="+r.kubeconfig(t), "--controllers=horizontal-pod-autoscaler-controller", "--leader-elect=false",
		"--secure-port=0", "--horizontal-pod-autoscaler-sync-period=1s")
	var said strings.Builder
	manager.Stderr = &said
	require.NoError(t, manager.Start())
	ended := make(chan error, 1)
	go func() { ended <- manager.Wait() }()
	select {
	case <-read:
	case err := <-ended:
		t.Fatalf("kube-controller-manager ended: %v\n%s", err, said.String())
	}
	r.mu.Lock()
	slices.Sort(r.watched)
	watched := slices.Compact(slices.Clone(r.watched))
	r.mu.Unlock()
	require.NotContains(t, watched, "deployments", "the claim")
	require.Equal(t, []string{"horizontalpodautoscalers", "pods"}, watched)
	require.NoError(t, manager.Process.Kill())
	<-ended
}

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
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/build"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// gate stands in front of the cluster for a kube-controller-manager that shall read what it wants and write nothing
// but the leases of the test's namespace. It writes down what is asked for: "PUT leases/mine", "GET pods, a watch".
type gate struct {
	server *httptest.Server
	token  string

	mu      sync.Mutex
	asked   []string
	changed chan struct{}
}

func newGate(t *testing.T, c *cluster.Cluster) *gate {
	g := &gate{token: rand.Text(), changed: make(chan struct{})}
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
	leases := "/apis/coordination.k8s.io/v1/namespaces/" + c.Namespace + "/leases"
	g.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+g.token {
			http.Error(w, "no token", http.StatusForbidden)
			return
		}
		g.note(r)
		if r.Method != http.MethodGet && !strings.HasPrefix(r.URL.Path, leases) {
			http.Error(w, "it only reads", http.StatusForbidden)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	g.server.Config.ErrorLog = quiet
	g.server.StartTLS()
	t.Cleanup(g.server.Close)
	return g
}

func (g *gate) note(r *http.Request) {
	what := r.Method + " " + path.Base(r.URL.Path)
	if r.URL.Query().Get("watch") != "" {
		what += ", a watch"
	}
	if strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata") {
		what += ", metadata only"
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, what)
	close(g.changed)
	g.changed = make(chan struct{})
}

// until waits for as many requests of a kind.
func (g *gate) until(t *testing.T, n int, what string) {
	t.Helper()
	limit := time.After(time.Minute)
	for {
		g.mu.Lock()
		changed, asked := g.changed, slices.Clone(g.asked)
		g.mu.Unlock()
		have := len(slices.DeleteFunc(slices.Clone(asked), func(s string) bool { return s != what }))
		if have >= n {
			return
		}
		select {
		case <-changed:
		case <-limit:
			t.Fatalf("%d of %d %q came in a minute, of %q", have, n, what, asked)
		}
	}
}

// all are the requests until now.
func (g *gate) all() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.asked)
}

// kubeconfig writes how it is reached.
func (g *gate) kubeconfig(t *testing.T) string {
	file := filepath.Join(t.TempDir(), "kubeconfig")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: g.server.Certificate().Raw})
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, `
apiVersion: v1
kind: Config
current-context: gate
contexts: [{name: gate, context: {cluster: gate, user: gate}}]
clusters: [{name: gate, cluster: {server: %q, certificate-authority-data: %s}}]
users: [{name: gate, user: {token: %q}}]
`, g.server.URL, base64.StdEncoding.EncodeToString(certificate), g.token), 0o600))
	return file
}

// kcm is upstream's program, with arguments.
func kcm(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	assets, err := build.Ensure(t.Context(), term.Quiet(), plane.KubeControllerManager)
	require.NoError(t, err)
	return exec.CommandContext(t.Context(), filepath.Join(assets, string(plane.KubeControllerManager)), args...)
}

// runs starts one that asks the gate, and runs for the election of this lease of the test's namespace. Its log is
// there once stop has returned.
func (g *gate) runs(t *testing.T, c *cluster.Cluster, lease string) (stop func() (said string)) {
	t.Helper()
	program := kcm(t, "--kubeconfig="+g.kubeconfig(t), "--secure-port=0",
		"--leader-elect-resource-namespace="+c.Namespace, "--leader-elect-resource-name="+lease,
		"--controllers=replicaset-controller,replicationcontroller-controller,job-controller,"+
			"garbage-collector-controller")
	var said strings.Builder
	program.Stderr = &said
	require.NoError(t, program.Start())
	stop = sync.OnceValue(func() string {
		_ = program.Process.Kill()
		_ = program.Wait() // which says that it was killed
		return said.String()
	})
	t.Cleanup(func() { stop() })
	return stop
}

// kube-controller-manager is one process with one lease for its controllers. Like a manager's, a standby of it reads
// the lease and watches nothing. Unlike a manager it has its caches begin when it is elected, all of them: of one
// factory, with one watch for each kind however many controllers want it, and of a second one for the metadata of
// kinds that it has no types for.
//
// covers: B-97 S3-08 S3-10
func TestKubeControllerManagerStarts(t *testing.T) {
	c := cluster.New(t)
	leases := "/apis/coordination.k8s.io/v1/namespaces/" + c.Namespace + "/leases"
	now := time.Now().UTC().Format("2006-01-02T15:04:05.000000Z07:00")
	c.Must(http.MethodPost, leases, map[string]any{"metadata": map[string]any{"name": "taken"}, "spec": map[string]any{
		"holderIdentity": "somebody", "leaseDurationSeconds": 3600, "renewTime": now, "acquireTime": now}}, nil)
	standby := newGate(t, c)
	stopStandby := standby.runs(t, c, "taken")
	standby.until(t, 3, "GET taken")
	for _, what := range standby.all() {
		require.NotContains(t, what, "a watch")
	}
	require.Contains(t, stopStandby(), `"Attempting to acquire leader lease..."`)

	leader := newGate(t, c)
	stopLeader := leader.runs(t, c, "free")
	leader.until(t, 1, "GET pods, a watch")
	leader.until(t, 1, "GET jobs, a watch")
	leader.until(t, 1, "GET replicasets, a watch")
	leader.until(t, 1, "GET customresourcedefinitions, a watch, metadata only")
	all := leader.all()
	count := func(what string) (n int) {
		for _, a := range all {
			if a == what {
				n++
			}
		}
		return n
	}
	first := slices.IndexFunc(all, func(s string) bool { return strings.Contains(s, "a watch") })
	require.Less(t, slices.Index(all, "POST leases"), first, "%q", all)
	require.Equal(t, 1, count("GET pods, a watch"), "four controllers want it")
	require.Zero(t, count("GET pods, a watch, metadata only"), "it has the type")
	require.Contains(t, stopLeader(), `"Successfully acquired lease"`)
}

// It has 49 controllers, and a second lease for those that move to another process.
//
// covers: B-97 S3-08
func TestControllersOfKubeControllerManager(t *testing.T) {
	help, err := kcm(t, "--help").Output()
	require.NoError(t, err)
	list := regexp.MustCompile(`(?s)All controllers: (.*?)\n`).FindSubmatch(help)
	require.NotNil(t, list)
	names := strings.Split(string(list[1]), ", ")
	require.Len(t, names, 49)
	require.Contains(t, names, "replicaset-controller")
	require.Contains(t, string(help), "--enable-leader-migration")
	require.Contains(t, strings.Join(strings.Fields(string(help)), " "), "--leader-elect-resource-name string "+
		"The name of resource object that is used for locking during leader election. "+
		"(default \"kube-controller-manager\")")
}

package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// ourName and realName are how the two are called on the page.
const ourName, realName = "ours", "kube-apiserver"

// server is one of the two that a step talks to.
type server struct {
	name, url, kubeconfig, namespace string
	http                             *http.Client
	dial                             func(ctx context.Context, network, address string) (net.Conn, error) // nil: client-go's own
	store                            *storage.Store
	stop                             func()
}

// startOurs runs the chapter's server on a free port of the loopback address, and keeps a kubeconfig for it in a folder
// that is removed with it. wrap may change the handler: a step that shows a fault does.
func startOurs(l *lab.Lab, options storage.Options, wrap ...func(http.Handler) http.Handler) (*server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "scratch-03-")
	if err != nil {
		return nil, err
	}
	store := storage.New(options)
	var handler http.Handler = apiserver.New(store, apiserver.Options{}, apiserver.ConfigMaps)
	for _, w := range wrap {
		handler = w(handler)
	}
	transport := &http.Transport{}
	s := &server{name: ourName, url: "http://" + listener.Addr().String(), kubeconfig: filepath.Join(dir, "kubeconfig"),
		namespace: l.Namespace, store: store, http: &http.Client{Transport: transport}}
	run := &http.Server{Handler: handler}
	var served sync.WaitGroup
	served.Go(func() { _ = run.Serve(listener) })
	s.stop = func() {
		transport.CloseIdleConnections()
		_ = run.Close()
		served.Wait()
		_ = os.RemoveAll(dir)
	}
	if err := os.WriteFile(s.kubeconfig, []byte(plainKubeconfig(s.url)), 0o600); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// plainKubeconfig is all that kubectl needs to talk to a server that knows no users.
func plainKubeconfig(url string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: scratch, cluster: {server: %q}}]
contexts: [{name: scratch, context: {cluster: scratch}}]
current-context: scratch
`, url)
}

// both starts ours and returns it beside the lab's.
func both(l *lab.Lab) (servers []*server, stop func(), err error) {
	ours, err := startOurs(l, storage.Options{})
	if err != nil {
		return nil, nil, err
	}
	real := &server{name: realName, url: l.Server.String(), kubeconfig: l.Kubeconfig, namespace: l.Namespace, http: l.HTTPClient(), dial: l.Dial}
	return []*server{ours, real}, ours.stop, nil
}

// configMaps is the URL of the run's ConfigMaps.
func (s *server) configMaps() string {
	return s.url + "/api/v1/namespaces/" + s.namespace + "/configmaps"
}

// clientset is client-go's for the server; done closes its connections.
func (s *server) clientset() (set kubernetes.Interface, done func(), err error) {
	rules := &clientcmd.ClientConfigLoadingRules{Precedence: filepath.SplitList(s.kubeconfig)}
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
	if err != nil {
		return nil, nil, err
	}
	config.QPS, config.Dial = -1, s.dial
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, nil, err
	}
	set, err = kubernetes.NewForConfigAndClient(config, client)
	return set, client.CloseIdleConnections, err
}

// findKubectl is the machine's kubectl, or the one that this repository builds when there is none.
var findKubectl = sync.OnceValues(func() (string, error) {
	if path, err := exec.LookPath("kubectl"); err == nil {
		return path, nil
	}
	dir, err := controlplane.Ensure(context.Background(), controlplane.NewDisplay(os.Stderr), controlplane.Kubectl)
	return filepath.Join(dir, "kubectl"), err
})

// kubectl is a command against the server, in the run's namespace.
func (s *server) kubectl(ctx context.Context, stdin string, args ...string) (*exec.Cmd, error) {
	path, err := findKubectl()
	if err != nil {
		return nil, err
	}
	args = append([]string{"--kubeconfig", s.kubeconfig, "-n", s.namespace}, args...)
	command := exec.CommandContext(ctx, path, args...)
	command.Stdin = strings.NewReader(stdin)
	return command, nil
}

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// ourName and realName are how the two are called on the page.
const ourName, realName = "ours", "kube-apiserver"

// server is one of the two that a step talks to.
type server struct {
	name, url, kubeconfig, namespace string
	cache                            string // the folder for what kubectl keeps
	http                             *http.Client
	// nil: client-go's own
	dial  func(ctx context.Context, network, address string) (net.Conn, error)
	store *storage.Store
	stop  func()
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
		return nil, errors.Join(err, listener.Close())
	}
	store := storage.New(options)
	var handler http.Handler = apiserver.New(store, apiserver.Options{}, apiserver.ConfigMaps)
	for _, w := range wrap {
		handler = w(handler)
	}
	transport := &http.Transport{}
	s := &server{name: ourName, url: "http://" + listener.Addr().String(), kubeconfig: filepath.Join(dir, "kubeconfig"),
		cache: filepath.Join(dir, "cache"), namespace: l.Namespace, store: store,
		http: &http.Client{Transport: transport}}
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
	real := &server{name: realName, url: l.Server.String(), kubeconfig: l.Kubeconfig, cache: ours.cache,
		namespace: l.Namespace, http: l.HTTPClient(), dial: l.Dial}
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
var findKubectl = sync.OnceValues(func() (string, error) { return lab.FindKubectl(context.Background(), os.Stderr) })

// kubectl is a command against the server, in the run's namespace.
func (s *server) kubectl(ctx context.Context, stdin string, args ...string) (*exec.Cmd, error) {
	binary, err := findKubectl()
	if err != nil {
		return nil, err
	}
	k := lab.Kubectl{Binary: binary, Kubeconfig: s.kubeconfig, Namespace: s.namespace, Cache: s.cache}
	return k.Command(ctx, stdin, args...), nil
}

// object is an object as JSON has it.
type object = map[string]any

// labelled is a ConfigMap that kubectl finds by its label app. The URL says of which kind it is.
func labelled(name, app, value string) object {
	return object{
		"metadata": object{"name": name, "labels": object{"app": app}},
		"data":     object{"value": value},
	}
}

// colour is the ConfigMap that most steps change.
func colour(value string) object { return labelled("colour", "paint", value) }

// request sends JSON and returns the code and the raw answer.
func (s *server) request(ctx context.Context, method, url string, body any) (int, []byte, error) {
	return lab.SendJSON(ctx, s.http, method, url, body)
}

// send is a request that has to succeed.
func (s *server) send(ctx context.Context, method, url string, body any) error {
	_, err := lab.MustSendJSON(ctx, s.http, method, url, body)
	return err
}

// open opens a watch, whose lines are events.
func open(
	ctx context.Context, client *http.Client, url string,
) (response *http.Response, lines *bufio.Scanner, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, nil, err
	}
	response, err = client.Do(r)
	if err != nil {
		return nil, nil, err
	}
	lines = bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20) // an object may have as much
	return response, lines, nil
}

// versionOf reads metadata.resourceVersion, and the message if it is a Status.
func versionOf(answer []byte) (version, message string) {
	var o struct {
		Metadata struct{ ResourceVersion string }
		Message  string
	}
	_ = json.Unmarshal(answer, &o)
	return o.Metadata.ResourceVersion, o.Message
}

// event is a line of a watch, as far as the demo shows it.
type event struct {
	Type   string
	Object struct {
		Code            int
		Reason, Message string
		Metadata        struct{ Name, ResourceVersion string }
	}
}

func parse(line []byte) (e event, err error) {
	err = json.Unmarshal(line, &e)
	return e, err
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/build"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/kubeconfig"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults/faultserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// screen is what the program prints.
type screen struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{} // closed, and replaced, with each write
}

func newScreen() *screen { return &screen{changed: make(chan struct{})} }

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
	return s.text.Write(b)
}

// read is what was printed, and a channel that is closed when there is more.
func (s *screen) read() (string, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String(), s.changed
}

// await waits until the program has printed a text.
func (s *screen) await(ctx context.Context, t *testing.T, text string) {
	t.Helper()
	for {
		said, more := s.read()
		if strings.Contains(said, text) {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			require.FailNow(t, "never printed: "+text, said)
		}
	}
}

// behind runs the program in front of the tests' cluster, has f use its kubeconfig, and returns what was printed.
func behind(t *testing.T, c *cluster.Cluster, text string,
	f func(ctx context.Context, kubeconfig string, out *screen)) string {
	t.Helper()
	script, err := faultserver.Parse(text, "")
	require.NoError(t, err)
	o := &options{kubeconfig: filepath.Join(t.TempDir(), "kubeconfig")}
	out := newScreen()
	ctx, interrupt := context.WithTimeout(t.Context(), time.Minute)
	defer interrupt()
	ended := make(chan error, 1)
	go func() {
		defer interrupt() // nobody waits for what it does not print any more
		ended <- o.serve(ctx, &lab.Lab{Cluster: c.Cluster, Narrator: lab.NewNarrator(out, nil)}, script)
	}()
	out.await(ctx, t, "Ctrl-C ends it")
	f(ctx, o.kubeconfig, out)
	interrupt()
	require.NoError(t, <-ended)
	require.NoFileExists(t, o.kubeconfig)
	said, _ := out.read()
	for line := range strings.Lines(said) {
		if !strings.Contains(line, " $ ") { // a command that names the test's folder
			require.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), 100, line)
		}
	}
	return said
}

// heard runs client-go's informer on the namespace's own ConfigMaps, in a factory that the test's end shuts down.
func heard(ctx context.Context, t *testing.T, kubeconfig, namespace string) <-chan string {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	require.NoError(t, err)
	config.ContentType = "application/vnd.kubernetes.protobuf"
	client, err := rest.HTTPClientFor(config)
	require.NoError(t, err)
	set, err := kubernetes.NewForConfigAndClient(config, client)
	require.NoError(t, err)
	factory := informers.NewSharedInformerFactoryWithOptions(set, 0, informers.WithNamespace(namespace),
		informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.FieldSelector = lab.OwnConfigMaps }))
	events := make(chan string, 100)
	_, err = factory.Core().V1().ConfigMaps().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { events <- "add " + o.(*corev1.ConfigMap).Name },
		UpdateFunc: func(_, o any) { events <- "update " + o.(*corev1.ConfigMap).Name },
	})
	require.NoError(t, err)
	factory.StartWithContext(ctx)
	t.Cleanup(func() { factory.Shutdown(); client.CloseIdleConnections() })
	return events
}

// next waits for an informer's next event.
func next(ctx context.Context, t *testing.T, events <-chan string) string {
	t.Helper()
	select {
	case e := <-events:
		return e
	case <-ctx.Done():
		require.FailNow(t, "no event came")
		return ""
	}
}

func TestKubectlAndAnInformerOnTheAPIServer(t *testing.T) {
	c := cluster.New(t)
	path := "/api/v1/namespaces/" + c.Namespace + "/configmaps"
	named := func(name string) map[string]any { return map[string]any{"metadata": map[string]any{"name": name}} }
	c.Must(http.MethodPost, path, named("menu"), nil)
	said := behind(t, c, "configmaps 1 unavailable; configmaps 3.2 cut; configmaps 4.2 expired; secrets 1 gone",
		func(ctx context.Context, kubeconfig string, _ *screen) {
			kubectl := cluster.KubectlFor(t, kubeconfig, c.Namespace)
			refused, err := kubectl.Try("", "get", "configmaps")
			require.Error(t, err)
			require.Contains(t, refused, "(injected fault)")
			require.Contains(t, kubectl.Run("get", "configmaps"), "menu")
			kubectl.Run("create", "configmap", "prices") // a write, of which the script says nothing

			events := heard(ctx, t, kubeconfig, c.Namespace)
			require.ElementsMatch(t, []string{"add menu", "add prices"},
				[]string{next(ctx, t, events), next(ctx, t, events)}, "though the streaming list was cut")
			c.Must(http.MethodPost, path, named("plum"), nil)
			for next(ctx, t, events) != "add plum" {
				continue // updates, after what was spoiled
			}
		})
	require.Contains(t, said, "configmaps 1  LIST  "+path)
	require.Contains(t, said, "configmaps 1 unavailable: status 503 in place of an answer")
	require.Contains(t, strings.Join(strings.Fields(said), " "),
		"configmaps 3.2 cut: a WATCH with all selected objects first, in the initial state > at once, configmaps 4")
	require.Contains(t, said, "Never reached: secrets 1 gone. Nobody listed or watched secrets.")
	require.Contains(t, said, "$ go run ./chapters/02-list-then-watch -fault cut")
}

// socket opens a WebSocket on a path, as fabric8's client does, and reads its messages: each is an event.
func socket(ctx context.Context, t *testing.T, kubeconfigFile, path string) (code int, messages *bufio.Reader) {
	t.Helper()
	config, err := kubeconfig.Load(kubeconfigFile)
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, config.Server.String()+path, nil)
	require.NoError(t, err)
	for name, value := range map[string]string{"Connection": "Upgrade", "Upgrade": "websocket",
		"Origin": config.Server.String(), "Sec-WebSocket-Version": "13",
		"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="} {
		req.Header.Set(name, value)
	}
	resp, err := config.Client(config.Transport()).Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { resp.Body.Close() })
	return resp.StatusCode, bufio.NewReader(resp.Body)
}

// message reads a server's frame: its kind, what of it came, and how it broke off.
func message(r *bufio.Reader) (kind byte, text string, err error) {
	head := make([]byte, 2)
	if _, err := io.ReadFull(r, head); err != nil {
		return 0, "", err
	}
	length := uint16(head[1])
	if length == 126 {
		if err := binary.Read(r, binary.BigEndian, &length); err != nil {
			return 0, "", err
		}
	}
	var b strings.Builder
	_, err = io.CopyN(&b, r, int64(length))
	return head[0], b.String(), err
}

// A watch over a WebSocket is spoiled where the script says so, and is as kube-apiserver has it where it does not. The
// same goes for a deprecated path.
func TestAWebSocketOnTheAPIServer(t *testing.T) {
	c := cluster.New(t)
	path := "/api/v1/namespaces/" + c.Namespace
	const selected = "?watch=true&fieldSelector=metadata.name%3Dmenu"
	menu := map[string]any{"metadata": map[string]any{"name": "menu"}}
	c.Must(http.MethodPost, path+"/configmaps", menu, nil)
	c.Must(http.MethodPost, path+"/secrets", menu, nil)
	const text, closing = 0x81, 0x88
	said := behind(t, c, "cm 1.2 cut; configmaps 2 gone; configmaps 3.1 expired",
		func(ctx context.Context, file string, _ *screen) {
			code, messages := socket(ctx, t, file, path+"/configmaps"+selected)
			require.Equal(t, http.StatusSwitchingProtocols, code)
			kind, event, err := message(messages)
			require.NoError(t, err)
			require.EqualValues(t, text, kind)
			require.Contains(t, event, `"type":"ADDED"`)
			c.Must(http.MethodDelete, path+"/configmaps/menu", nil, nil)
			_, event, err = message(messages)
			require.Error(t, err, "half of it came")
			require.Contains(t, event, `"type":"DELETED"`)

			code, _ = socket(ctx, t, file, path+"/configmaps"+selected)
			require.Equal(t, http.StatusGone, code)
			c.Must(http.MethodPost, path+"/configmaps", menu, nil)
			code, messages = socket(ctx, t, file, "/api/v1/watch/namespaces/"+c.Namespace+
				"/configmaps?fieldSelector=metadata.name%3Dmenu")
			require.Equal(t, http.StatusSwitchingProtocols, code)
			_, event, err = message(messages)
			require.NoError(t, err)
			require.Contains(t, event, `"code":410`)
			kind, reason, err := message(messages)
			require.NoError(t, err)
			require.EqualValues(t, closing, kind)
			require.Equal(t, "\x03\xe8", reason)

			// What the script does not speak of goes to kube-apiserver as it is, and comes back no different.
			code, messages = socket(ctx, t, file, path+"/secrets"+selected+"&timeoutSeconds=1")
			require.Equal(t, http.StatusSwitchingProtocols, code)
			kind, event, err = message(messages)
			require.NoError(t, err)
			require.EqualValues(t, text, kind)
			require.True(t, strings.HasSuffix(event, "}\n"), event)
			kind, reason, err = message(messages)
			require.NoError(t, err)
			require.EqualValues(t, closing, kind)
			require.Equal(t, "\x03\xe8", reason)
		})
	require.Contains(t, said, "cm is configmaps.\n")
	require.Contains(t, said, "configmaps 1  WATCH over a WebSocket  ")
	require.Contains(t, said, "configmaps 3  WATCH over a WebSocket  "+"/api/v1/watch/namespaces/")
	require.NotContains(t, said, "Never reached")
}

// A name that the cluster does not have ends the program before anything waits for a client.
func TestANameThatTheClusterDoesNotHave(t *testing.T) {
	c := cluster.New(t)
	for text, want := range map[string]string{"configmaps.v1 1 cut": "write configmaps, and not configmaps.v1",
		"configmapz 1 cut": `the cluster has no resource "configmapz": is it configmaps?`} {
		script, err := faultserver.Parse(text, "")
		require.NoError(t, err)
		o := &options{kubeconfig: filepath.Join(t.TempDir(), "kubeconfig")}
		l := &lab.Lab{Cluster: c.Cluster, Narrator: lab.NewNarrator(io.Discard, nil)}
		require.ErrorContains(t, o.serve(t.Context(), l, script), want)
		require.NoFileExists(t, o.kubeconfig)
	}
}

// kube-controller-manager, which asks for protobuf, makes a ReplicaSet's pods though its lists and watches are spoiled.
func TestKubeControllerManager(t *testing.T) {
	c := cluster.Private(t) // a second one beside that of somebody's cluster would be at its work, too
	dir, err := build.Ensure(t.Context(), term.Quiet(), plane.KubeControllerManager)
	require.NoError(t, err)
	path := "/namespaces/" + c.Namespace
	c.Must(http.MethodPost, "/api/v1"+path+"/serviceaccounts",
		map[string]any{"metadata": map[string]any{"name": "default"}}, nil)
	script := "replicasets 1 unavailable; replicasets 3.1 cut; pods 1 away 2; pods 3.2 error-event"
	said := behind(t, c, script, func(ctx context.Context, kubeconfig string, out *screen) {
		scratch := t.TempDir()
		manager := exec.CommandContext(ctx, filepath.Join(dir, string(plane.KubeControllerManager)),
			"--kubeconfig="+kubeconfig, "--controllers=replicaset-controller", "--leader-elect=false",
			"--secure-port=0", "--cert-dir="+scratch)
		var log bytes.Buffer
		manager.Dir, manager.Stdout, manager.Stderr = scratch, &log, &log
		require.NoError(t, manager.Start())
		defer func() {
			_ = manager.Process.Kill()
			_ = manager.Wait()
			if t.Failed() {
				t.Log(log.String())
			}
		}()
		out.await(ctx, t, "  replicasets.apps 3  WATCH")
		labels := map[string]any{"app": "web"}
		c.Must(http.MethodPost, "/apis/apps/v1"+path+"/replicasets", map[string]any{
			"metadata": map[string]any{"name": "web"},
			"spec": map[string]any{"replicas": 2, "selector": map[string]any{"matchLabels": labels},
				"template": map[string]any{"metadata": map[string]any{"labels": labels},
					"spec": map[string]any{"containers": []any{map[string]any{"name": "web", "image": "none"}}}}},
		}, nil)
		cluster.KubectlFor(t, c.Kubeconfig, c.Namespace).Run("wait", "replicaset/web", "--timeout=60s",
			"--for=jsonpath={.status.replicas}=2")
		out.await(ctx, t, "  replicasets.apps 4  WATCH")
		out.await(ctx, t, "  pods 4  WATCH")
	})
	require.Contains(t, said, "(kube-controller-manager)")
	require.Contains(t, said, "replicasets.apps 1 unavailable: a WATCH with all objects first")
	require.Contains(t, said, "pods 2 away 1: a WATCH with all objects first")
	require.Contains(t, said, "replicasets.apps 3.1 cut: a WATCH from version")
	require.NotContains(t, said, "Never reached")
}

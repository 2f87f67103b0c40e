package faultserver

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/kubeconfig"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

func TestMain(m *testing.M) {
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1] // the second one sleeps for years in a bubble
	goleak.VerifyTestMain(m)
}

// run is a proxy in front of a scripted API server, in memory.
type run struct {
	*Server
	api *fakeapi.Server
	in  *pipe.Listener
	out bytes.Buffer // to be read once the server is closed
}

func start(t *testing.T, script string, verbose bool, answers ...*fakeapi.Answer) *run {
	t.Helper()
	parsed, err := Parse(script, "")
	require.NoError(t, err)
	r := &run{api: fakeapi.New(t, answers...), in: pipe.Listen("127.0.0.1:443")}
	target, err := url.Parse(r.api.URL)
	require.NoError(t, err)
	r.Server, err = Listen(Options{Target: target, Transport: r.api.Client().Transport, Script: parsed,
		Listener: r.in, Narrator: lab.NewNarrator(&r.out, nil), Verbose: verbose})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	return r
}

// client sends requests through the proxy, with the token or another.
func (r *run) client(t *testing.T, token string) *http.Client {
	t.Helper()
	transport := &http.Transport{DialContext: r.in.Dial}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: withToken{transport, token}}
}

type withToken struct {
	next  http.RoundTripper
	token string
}

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("User-Agent", "tester/v1")
	if w.token != "" {
		r.Header.Set("Authorization", "Bearer "+w.token)
	}
	return w.next.RoundTrip(r)
}

// get is what comes back for a path.
func get(t *testing.T, c *http.Client, path string) (code int, body string, err error) {
	t.Helper()
	resp, err := c.Get("http://127.0.0.1" + path)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(raw), err
}

var digits = regexp.MustCompile(` *\d+(\.\d+)?(ms|s)\b`)

// said closes the server and returns what it said, reported too, with T in place of times.
func (r *run) said(t *testing.T) string {
	t.Helper()
	require.NoError(t, r.Close())
	r.Report()
	for line := range strings.Lines(r.out.String()) {
		require.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), 100, line)
	}
	return digits.ReplaceAllString(r.out.String(), " T")
}

func configMap(kind, name, version string) string {
	return fakeapi.Line(kind, fakeapi.ConfigMap("tea", name, version))
}

// initialEnd is the bookmark that ends the initial state.
func initialEnd(version string) string {
	return fakeapi.Line("BOOKMARK", map[string]any{"kind": "ConfigMap", "apiVersion": "v1",
		"metadata": map[string]any{"resourceVersion": version, "creationTimestamp": nil,
			"annotations": map[string]any{"k8s.io/initial-events-end": "true"}}})
}

// inform runs client-go's informer through the proxy for a while, and returns what its handlers heard.
func (r *run) inform(t *testing.T, long time.Duration) (heard []string) {
	t.Helper()
	config := &rest.Config{Host: "http://127.0.0.1", BearerToken: r.door.token, Dial: r.in.Dial,
		UserAgent: "my-controller/v1 (linux/amd64)"}
	config.ContentType = "application/vnd.kubernetes.protobuf"
	client, err := rest.HTTPClientFor(config)
	require.NoError(t, err)
	defer client.CloseIdleConnections()
	set, err := kubernetes.NewForConfigAndClient(config, client)
	require.NoError(t, err)
	factory := informers.NewSharedInformerFactoryWithOptions(set, 0, informers.WithNamespace("tea"))
	var mu sync.Mutex
	note := func(what string, o any) {
		mu.Lock()
		defer mu.Unlock()
		c := o.(*corev1.ConfigMap)
		heard = append(heard, what+" "+c.Name+" "+c.ResourceVersion)
	}
	_, err = factory.Core().V1().ConfigMaps().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { note("add", o) },
		UpdateFunc: func(_, o any) { note("update", o) },
		DeleteFunc: func(o any) { note("delete", o) },
	})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	factory.Start(ctx.Done())
	time.Sleep(long)
	synctest.Wait()
	require.NoError(t, r.Close()) // with the watch open, as Ctrl-C finds it
	cancel()
	factory.Shutdown()
	return heard
}

const informed = `   > T  configmaps 1  WATCH  /api/v1/namespaces/tea/configmaps?sendInitialEvents=true
             (my-controller)
   < FAULT T  configmaps 1.2 cut: half of it is sent, then the connection breaks
   > T  configmaps 2  WATCH  /api/v1/namespaces/tea/configmaps?resourceVersion=5
   < FAULT T  configmaps 2 gone: status 410 in place of an answer
   > T  configmaps 3  WATCH  /api/v1/namespaces/tea/configmaps
             ?resourceVersion=5&sendInitialEvents=true

── report what was spoiled, and what came next ─────────────────────────────────────────────────────
   < FAULT T  configmaps 1.2 cut: a WATCH with all objects first
   > at once, configmaps 2: a WATCH from version 5
   < FAULT T  configmaps 2 gone: a WATCH from version 5
   > T later, configmaps 3: a WATCH with all objects first
   = Never reached: configmaps 3.5 expired. configmaps 3 had: 200 OK, 1 event, open.
   = Never reached: pods 1 gone. Nobody listed or watched pods.
   = Never reached: configmaps 9 away 1. There were 3 requests for configmaps.

── report what client-go's reflector does about it, and the chapter that explains it ───────────────
   = cut: It watches on from the last version that it saw, and the event comes again. In the initial
     state, and at the first event of a watch younger than a second, it begins again.
   $ go run ./chapters/02-list-then-watch -fault cut
   = gone: It asks for all objects again: the version that it knows is too old.
   $ go run ./chapters/02-list-then-watch -fault gone
   chapters/05-reflector plays each to a reflector of client-go's, under the same name. What a log
   has of it:
   $ go run ./scripts/symptom < controller.log
`

// client-go's informer runs through the proxy, is spoiled twice, and ends with what is there.
func TestAnInformer(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		script := "configmaps 1.2 cut; configmaps 2 gone; configmaps 3.5 expired; pods 1 gone; configmaps 9 away"
		r := start(t, script, false,
			fakeapi.Stream(fakeapi.Send(configMap("ADDED", "menu", "5")), fakeapi.Send(initialEnd("5")),
				fakeapi.Sleep(10*time.Second), fakeapi.Send(configMap("MODIFIED", "menu", "6")), fakeapi.Hang()),
			fakeapi.Stream(fakeapi.Send(configMap("ADDED", "menu", "6")), fakeapi.Send(initialEnd("6")),
				fakeapi.Hang()),
		)
		require.Equal(t, []string{"add menu 5", "update menu 6"}, r.inform(t, time.Minute))
		require.Equal(t, informed, r.said(t))
		for _, request := range r.api.Requests() {
			require.Equal(t, "application/json", request.Header.Get("Accept"), "events are told by lines")
			require.Empty(t, request.Header.Get("Authorization"), "the cluster has credentials of its own")
		}
	})
}

func TestOnlyTheTokenOpens(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		r := start(t, "1 gone", false, fakeapi.JSON(http.StatusOK, map[string]any{"kind": "APIVersions"}))
		for _, token := range []string{"", "guessed", strings.ToLower(r.door.token)} {
			for range 2 {
				code, body, err := get(t, r.client(t, token), "/api/v1/configmaps")
				require.NoError(t, err)
				require.Equal(t, http.StatusUnauthorized, code)
				require.Contains(t, body, "the fault proxy lets in who has the token")
			}
		}
		require.Empty(t, r.api.Requests(), "nothing reached the cluster")
		code, _, err := get(t, r.client(t, r.door.token), "/api")
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, code)
		said := r.said(t)
		require.Equal(t, 1, strings.Count(said, "401"), "said once for each program")
		require.Contains(t, said, "Nothing was spoiled: no list and no watch came. Does your program use")
	})
}

// Two resources are counted apart, and what is no list and no watch is not counted.
func TestOrdinalsAreThoseOfAResource(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		r := start(t, "2 unavailable; pods 1 close", true)
		r.api.Otherwise(func(fakeapi.Request) *fakeapi.Answer {
			return fakeapi.JSON(http.StatusOK, fakeapi.List("8", ""))
		})
		c := r.client(t, r.door.token)
		var codes []int
		for _, path := range []string{"/api/v1/configmaps", "/api/v1/pods", "/api/v1/namespaces/tea/configmaps/menu",
			"/version", "/api/v1/configmaps", "/api/v1/pods", "/api/v1/pods"} {
			code, _, err := get(t, c, path)
			require.NoError(t, err)
			codes = append(codes, code)
		}
		require.Equal(t, []int{200, 200, 200, 200, 503, 503, 200}, codes)
		said := r.said(t)
		require.Contains(t, said, "> T  GET  /version\n")
		require.Contains(t, said, "< T  pods 3  200 OK, whole\n")
		require.Contains(t, said, "< FAULT T  pods 2 unavailable: a LIST of all objects\n"+
			"   > at once, pods 3: a LIST of all objects\n")
		require.Contains(t, said, "< FAULT T  configmaps 2 unavailable: a LIST of all objects\n   > nothing in T\n")
		require.Contains(t, said, "Never reached: pods 1.1 close. pods 1 was a LIST, to which this does not happen.")
	})
}

// Who has mistyped a resource is told what was asked for.
func TestAResourceThatNobodyAsksFor(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		r := start(t, "configmap 1 gone", false, fakeapi.JSON(http.StatusOK, fakeapi.List("8", "")))
		code, _, err := get(t, r.client(t, r.door.token), "/api/v1/configmaps")
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, code)
		require.Contains(t, r.said(t), "Never reached: configmap 1 gone. "+
			"Nobody listed or watched configmap, but configmaps.")
	})
}

// A request that waits, and a stall, end with the proxy.
func TestCloseEndsWhatIsOpen(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		r := start(t, "1.1 stall; 2 delay 1h", false,
			fakeapi.Stream(fakeapi.Send(configMap("ADDED", "menu", "5")), fakeapi.Hang()))
		c := r.client(t, r.door.token)
		ended := make(chan error, 2)
		for range 2 {
			go func() {
				_, _, err := get(t, c, "/api/v1/configmaps?watch=true")
				ended <- err
			}()
			synctest.Wait()
		}
		require.NoError(t, r.Close())
		require.Error(t, <-ended)
		require.Error(t, <-ended)
		said := r.said(t)
		require.Contains(t, said, "configmaps 1.1 stall: a WATCH from any version")
		require.Contains(t, said, "> the request went on: no answer, open\n")
	})
}

func TestAKubeconfigForThisUserAlone(t *testing.T) {
	gone, err := Parse("1 gone", "")
	require.NoError(t, err)
	r, err := Listen(Options{Target: &url.URL{Scheme: "http", Host: "127.0.0.1:1"}, Script: gone,
		Narrator: lab.NewNarrator(io.Discard, nil)})
	require.NoError(t, err)
	defer r.Close()
	path := filepath.Join(t.TempDir(), "new", "kubeconfig")
	require.NoError(t, r.WriteKubeconfig(path, "tea"))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	require.NoError(t, r.WriteKubeconfig(path, "tea"), "what a killed proxy left is replaced")
	config, err := kubeconfig.Load(path)
	require.NoError(t, err)
	require.Equal(t, "tea", config.Namespace)
	client := config.Client(config.Transport())
	defer client.CloseIdleConnections()
	resp, err := client.Get(config.Server.String() + "/api/v1/configmaps")
	require.NoError(t, err, "its authority and its token are those of the proxy")
	resp.Body.Close()
	require.Equal(t, http.StatusGone, resp.StatusCode)
	require.NoError(t, r.RemoveKubeconfig(path))
	require.NoFileExists(t, path)
	require.NoError(t, r.RemoveKubeconfig(path))

	own := filepath.Join(t.TempDir(), "config")
	require.NoError(t, os.WriteFile(own, []byte("current-context: mine\n"), 0o600))
	require.ErrorContains(t, r.WriteKubeconfig(own, "tea"), "was not written by the fault proxy: name another file")
	require.NoError(t, r.RemoveKubeconfig(own))
	require.FileExists(t, own)
}

// A connection that changes its protocol, as kubectl exec has it, passes, or is refused with words.
func TestUpgrades(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			conn, both, err := w.(http.Hijacker).Hijack()
			if err != nil {
				return
			}
			defer conn.Close()
			fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: %s\r\n\r\n",
				r.Header.Get("Upgrade"))
			line, _ := both.ReadString('\n')
			_, _ = io.WriteString(conn, "you said "+line)
		})
		transport, stop := pipe.Serve(echo)
		defer stop()
		r := start(t, "1 gone", false)
		ask := func() (*http.Response, error) {
			req, err := http.NewRequest(http.MethodPost, "http://127.0.0.1/api/v1/namespaces/tea/pods/web/exec", nil)
			require.NoError(t, err)
			req.Header.Set("Connection", "Upgrade")
			req.Header.Set("Upgrade", "SPDY/3.1")
			return r.client(t, r.door.token).Do(req)
		}
		resp, err := ask()
		require.NoError(t, err)
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		require.Equal(t, http.StatusNotImplemented, resp.StatusCode)
		require.Contains(t, string(body), "no way to pass a connection of the protocol SPDY/3.1")

		r.upgrades = pass(r.o.Target, transport)
		resp, err = ask()
		require.NoError(t, err)
		defer resp.Body.Close()
		require.Equal(t, http.StatusSwitchingProtocols, resp.StatusCode)
		conn := resp.Body.(io.ReadWriter)
		_, err = io.WriteString(conn, "hello\n")
		require.NoError(t, err)
		line, err := bufio.NewReader(conn).ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, "you said hello\n", line)
	})
}

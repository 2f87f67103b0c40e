package faultserver

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
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
   < FAULT T  configmaps 1.2 cut: a WATCH with all objects first, after they had come
   > at once, configmaps 2: a WATCH from version 5
   < FAULT T  configmaps 2 gone: a WATCH from version 5
   > T later, configmaps 3: a WATCH with all objects first
   = Which process sent a request can't be seen here: what came next is told by the program, and may
     be another process of it.
   = Never reached: configmaps 3.5 expired. configmaps 3 had: 200 OK, 1 event, open.
   = Never reached: pods 1 gone. Nobody listed or watched pods.
   = Never reached: configmaps 9 away 1. There were 3 requests for configmaps.

── report what client-go's reflector does about it, and the chapter that explains it ───────────────
   = cut: It watches on from the last version that it saw, and the event comes again.
   $ go run ./chapters/02-list-then-watch -fault cut
   = gone: It waits, and asks for all objects again: the version that it knows is too old.
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
		for header, admitted := range map[string]bool{"bearer " + r.door.token: true, "BEARER  " + r.door.token: true,
			"Basic " + r.door.token: false, r.door.token: false, "Bearer": false, "Bearer ": false} {
			request := &http.Request{Header: http.Header{"Authorization": {header}}}
			require.Equal(t, admitted, r.door.admits(request), header)
		}
		said := r.said(t)
		require.Equal(t, 1, strings.Count(said, "401"), "said once for each program")
		require.Contains(t, said, "Nothing was spoiled: no list and no watch was let in. What was refused stands above")
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

// The paths that are deprecated, as Ruby's kubeclient has them, are watches like the others.
func TestADeprecatedPath(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		r := start(t, "configmaps 2.1 expired", false, fakeapi.JSON(http.StatusOK, fakeapi.List("5", "")),
			fakeapi.Stream(fakeapi.Send(configMap("ADDED", "menu", "6")), fakeapi.Hang()),
			fakeapi.JSON(http.StatusOK, fakeapi.List("6", "")))
		c := r.client(t, r.door.token)
		for _, path := range []string{"/api/v1/namespaces/tea/configmaps",
			"/api/v1/watch/namespaces/tea/configmaps?resourceVersion=5", "/api/v1/namespaces/tea/configmaps"} {
			code, _, err := get(t, c, path)
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, code)
		}
		said := r.said(t)
		require.Contains(t, said, "configmaps 2  WATCH  /api/v1/watch/namespaces/tea/configmaps?resourceVersion=5\n")
		require.Contains(t, said, "< FAULT T  configmaps 2.1 expired: a WATCH from version 5\n"+
			"   > at once, configmaps 3: a LIST of all objects\n")
	})
}

// What another process of a program does is not what came next; and which process it is is shown.
func TestTwoProcessesOfOneProgram(t *testing.T) {
	for name, c := range map[string]struct {
		first, second, third int
		want                 string
	}{
		"another": {7, 8, 8, "   > nothing more from that process; T, another tester sent configmaps 2: a LIST of all\n" +
			"       objects\n   = Never"},
		"another between": {7, 8, 7, "   > T later, configmaps 3: a LIST of all objects\n   = Never"},
		"the same":        {7, 7, 7, "   > T later, configmaps 2: a LIST of all objects\n   = Never"},
		"unknown": {0, 0, 0, "   > T later, configmaps 2: a LIST of all objects\n" +
			"   = Which process sent a request can't be seen here: "},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				r := start(t, "1 gone; pods 1 cut", false)
				r.api.Otherwise(func(fakeapi.Request) *fakeapi.Answer {
					return fakeapi.JSON(http.StatusOK, fakeapi.List("8", ""))
				})
				for _, process := range []int{c.first, c.second, c.third} {
					r.processOf = func(*http.Request) int { return process }
					_, _, err := get(t, r.client(t, r.door.token), "/api/v1/configmaps")
					require.NoError(t, err)
					time.Sleep(2 * time.Second)
				}
				said := r.said(t)
				require.Contains(t, strings.ReplaceAll(said, " T later, another", " T, another"), c.want)
				require.Equal(t, c.second != c.first, strings.Contains(said,
					"configmaps 2  LIST  /api/v1/configmaps  (tester, process 8)\n"))
				require.Equal(t, c.third != c.second, strings.Contains(said,
					"configmaps 3  LIST  /api/v1/configmaps  (tester, process 7)\n"))
			})
		})
	}
}

// Two informers of one program ask for the same: what follows the other's request may not be what came next.
func TestTwoThatAskForTheSame(t *testing.T) {
	for name, c := range map[string]struct {
		second time.Duration // how long the other watch is open
		want   string
	}{
		"the other ends, too": {3 * time.Second, "> T later, configmaps 3: a WATCH from version 5, unless that follows " +
			"configmaps 2, which had ended, too"},
		"the other goes on":      {time.Hour, "> T later, configmaps 3: a WATCH from version 5 ="},
		"the other ends later":   {30 * time.Second, "> T later, configmaps 3: a WATCH from version 5 ="},
		"the other ended before": {500 * time.Millisecond, "> T later, configmaps 3: a WATCH from version 5 ="},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				r := start(t, "configmaps 1.1 cut; configmaps 9 gone", false,
					fakeapi.Stream(fakeapi.Sleep(time.Second), fakeapi.Send(configMap("ADDED", "menu", "6")),
						fakeapi.Hang()),
					fakeapi.Stream(fakeapi.Sleep(c.second)), fakeapi.Stream())
				r.processOf = func(*http.Request) int { return 7 }
				client := r.client(t, r.door.token)
				for range 2 {
					go func() { _, _, _ = get(t, client, watched) }()
					synctest.Wait()
				}
				time.Sleep(5 * time.Second)
				_, _, err := get(t, client, watched)
				require.NoError(t, err)
				time.Sleep(time.Minute)
				require.Contains(t, strings.Join(strings.Fields(r.said(t)), " "), c.want)
			})
		})
	}
}

// A query is shown whole where all is to be shown, on as many lines as it takes.
func TestAWholeQuery(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		r := start(t, "configmaps 9 gone", true, fakeapi.JSON(http.StatusOK, fakeapi.List("8", "")))
		query := "?allowWatchBookmarks=true&fieldSelector=metadata.name%3Dmenu&resourceVersion=5&" +
			"resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeoutSeconds=411"
		_, _, err := get(t, r.client(t, r.door.token), "/api/v1/namespaces/tea/configmaps"+query)
		require.NoError(t, err)
		require.Contains(t, strings.ReplaceAll(r.said(t), "\n             ", ""), query)
	})
}

// What is said of client-go's reflector is said of where it was struck: a streaming list that ends early begins again.
func TestAFaultInTheInitialState(t *testing.T) {
	initial := func(after time.Duration) *fakeapi.Answer {
		return fakeapi.Stream(fakeapi.Sleep(after), fakeapi.Send(configMap("ADDED", "menu", "5")),
			fakeapi.Send(configMap("ADDED", "prices", "4")), fakeapi.Send(initialEnd("5")), fakeapi.Hang())
	}
	for script, c := range map[string]struct {
		delay     time.Duration
		next, why string
	}{
		"configmaps 1.1 close": {0, "at once, configmaps 2: a WATCH with all objects first",
			"close in the initial state: It begins again at once"},
		"configmaps 1.2 cut": {0, "at once, configmaps 2: a WATCH with all objects first",
			"cut in the initial state: It begins again at once"},
		"configmaps 1.1 cut": {0, "at once, configmaps 2: a LIST of all objects",
			"cut in the initial state, within a second, before any event: It sends a list at once"},
		"configmaps 1.1 truncate": {2 * time.Second, "at once, configmaps 2: a WATCH with all objects first",
			"truncate in the initial state: It begins again at once"},
		"configmaps 1.1 error-event": {0, "at once, configmaps 2: a LIST of all objects",
			"error-event in the initial state: It sends a list at once."},
		"configmaps 1.1 expired": {0, "at once, configmaps 2: a WATCH with all objects first",
			"expired in the initial state: It asks for all objects again at once"},
		"configmaps 1 gone": {0, "at once, configmaps 2: a WATCH with all objects first",
			"gone in the initial state: It asks for all objects again at once"},
		"configmaps 1 unavailable": {0, "at once, configmaps 2: a LIST of all objects",
			"unavailable in the initial state: It sends a list at once."},
	} {
		t.Run(script, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				r := start(t, script, false)
				r.api.Otherwise(func(request fakeapi.Request) *fakeapi.Answer {
					if !strings.Contains(request.String(), "watch=true") {
						return fakeapi.JSON(http.StatusOK, fakeapi.List("5", "",
							fakeapi.ConfigMap("tea", "menu", "5"), fakeapi.ConfigMap("tea", "prices", "4")))
					}
					return initial(c.delay)
				})
				r.inform(t, time.Minute)
				said := r.said(t)
				require.Contains(t, said, "   > "+c.next+"\n")
				require.Contains(t, strings.Join(strings.Fields(said), " "), "= "+c.why)
			})
		})
	}
}

// A watch that is young and has had no event is no watch to client-go; one that has had its initial state is as old as
// that.
func TestAYoungWatch(t *testing.T) {
	for delay, why := range map[time.Duration]string{
		100 * time.Millisecond: "cut within a second, before any event: It waits, and asks for all objects again",
		5 * time.Second:        "cut: It watches on from the last version that it saw",
	} {
		testkit.Bubble(t, func(t *testing.T) {
			r := start(t, "configmaps 1.2 cut", false)
			r.api.Otherwise(func(request fakeapi.Request) *fakeapi.Answer {
				if strings.Contains(request.String(), "sendInitialEvents") {
					return fakeapi.Stream(fakeapi.Sleep(10*time.Second), fakeapi.Send(configMap("ADDED", "menu", "5")),
						fakeapi.Send(initialEnd("5")), fakeapi.Sleep(delay),
						fakeapi.Send(configMap("MODIFIED", "menu", "6")), fakeapi.Hang())
				}
				return fakeapi.Stream(fakeapi.Hang())
			})
			r.inform(t, 2*time.Minute)
			said := strings.Join(strings.Fields(r.said(t)), " ")
			require.Contains(t, said, "= "+why)
			next := "> at once, configmaps 2: a WATCH from version 5"
			if delay < time.Second {
				next = "> T later, configmaps 2: a WATCH with all objects first"
			}
			require.Contains(t, said, next)
		})
	}
}

// A program that accepts protobuf alone watches as if nobody stood between.
func TestAWatchInProtobuf(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		r := start(t, "configmaps 1.1 cut", true, fakeapi.Stream(fakeapi.Send("k8s\x00\none\ntwo")).
			With("Content-Type", "application/vnd.kubernetes.protobuf;stream=watch"))
		req, err := http.NewRequest(http.MethodGet, "http://127.0.0.1"+watched, nil)
		require.NoError(t, err)
		req.Header.Set("Accept", "application/vnd.kubernetes.protobuf")
		resp, err := r.client(t, r.door.token).Do(req)
		require.NoError(t, err)
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.Equal(t, "k8s\x00\none\ntwo", string(body))
		said := r.said(t)
		require.Contains(t, said, "It accepts no JSON, so that no fault can meet an event.")
		require.Contains(t, said, "configmaps 1  200 OK, its events are no JSON, server closed")
		require.Contains(t, said, "Never reached: configmaps 1.1 cut. configmaps 1 accepted no JSON.")
	})
}

// A client that does not wait for the end of a list has not had the whole of it.
func TestAListThatNobodyWaitsFor(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		large := fakeapi.ConfigMap("tea", "menu", "5", "text", strings.Repeat("x", 1<<20))
		r := start(t, "configmaps 9 gone", true, fakeapi.JSON(http.StatusOK, fakeapi.List("5", "", large)),
			fakeapi.JSON(http.StatusOK, fakeapi.List("5", "", large)))
		c := r.client(t, r.door.token)
		resp, err := c.Get("http://127.0.0.1/api/v1/configmaps")
		require.NoError(t, err)
		resp.Body.Close()
		_, _, err = get(t, c, "/api/v1/configmaps")
		require.NoError(t, err)
		synctest.Wait()
		said := r.said(t)
		require.Contains(t, said, "configmaps 1  200 OK, client closed\n")
		require.Contains(t, said, "configmaps 2  200 OK, whole\n")
	})
}

// What never came to pass has its reason.
func TestWhatWasNeverReached(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		r := start(t, "configmaps 1 gone; configmaps 1 unavailable; configmaps 2 gone", false)
		_, _, err := get(t, r.client(t, r.door.token), "/api/v1/configmaps")
		require.NoError(t, err)
		said := r.said(t)
		require.Contains(t, said, "configmaps 1 unavailable. What came first ended the request: configmaps 1 gone.")
		require.Contains(t, said, "Never reached: configmaps 2 gone. There was 1 request for configmaps.")
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
		require.Contains(t, said, "configmaps 1.1 stall: a WATCH without a version, with all objects first")
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
		require.NoError(t, r.Close(), "the server has ended it, the client has not, and nobody waits for it")
	})
}

// hijacked is a response whose connection can be taken over.
type hijacked struct {
	http.ResponseWriter
	conn net.Conn
}

func (h hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) { return h.conn, nil, nil }

// A connection that was taken over ends with its request, though its client says nothing.
func TestAConnectionEndsWithItsRequest(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		client, server := net.Pipe()
		defer client.Close()
		_, _, err := http.NewResponseController(ending{hijacked{conn: server}, ctx}).Hijack()
		require.NoError(t, err)
		cancel()
		_, err = client.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF)
	})
}

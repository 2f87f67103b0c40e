package reflector_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch/listwatchtest"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

const configMaps = "http://memory/api/v1/namespaces/default/configmaps"

// world is a server in memory, what stands in front of it, and somebody who writes to it. Nothing in it depends on the
// time that a reflector takes: who writes waits until a watch is open and all before it has arrived, or writes in the
// moment in which a response breaks.
type world struct {
	t      *testing.T
	script script
	ledger *ledger
	server *http.Transport
	proxy  *faults.Proxy

	mu       sync.Mutex
	requests int
	next     []faults.Fault // what the proxy does to the request that is on its way to it
	draw     *rand.Rand
	objects  map[string]string // resourceVersions by name
	met      map[string]int    // how often a kind of request met a kind of fault
}

// play has a reflector live through the script, with writes, and returns what it did, and which faults it met.
func play(t *testing.T, seed uint64, s script, pages bool,
	start func(context.Context, cache.ListerWatcher, *ledger)) (text string, met map[string]int) {
	testkit.Bubble(t, func(t *testing.T) {
		l := newLedger()
		server, stop := pipe.Serve(handler(pages))
		w := &world{t: t, script: s, ledger: l, server: server,
			draw: rand.New(rand.NewPCG(seed, 6)), objects: map[string]string{}, met: map[string]int{}}
		w.proxy = faults.New(&url.URL{Scheme: "http", Host: "memory"}, server, w)
		w.proxy.OnFault(w.inTheGap)
		l.changed = w.proxy.Recheck
		for range 3 {
			w.write()
		}
		ctx, cancel := context.WithTimeout(klog.NewContext(t.Context(), logr.Discard()), 4*time.Hour)
		done := make(chan struct{})
		go func() { defer close(done); start(ctx, w.listWatcher(), l) }()
		w.follow(ctx)
		cancel()
		<-done
		require.NoError(t, w.proxy.Close())
		stop()
		text, met = l.text(), w.met
	})
	return text, met
}

// handler serves ConfigMaps. Chapter 03's server knows streaming lists and no pages, chapter 02's the other way round.
func handler(pages bool) http.Handler {
	if pages {
		return listwatchtest.NewServer()
	}
	endless := apiserver.Options{WatchTimeout: 1000 * time.Hour}
	return apiserver.New(storage.New(storage.Options{}), endless, apiserver.ConfigMaps)
}

// follow writes until the script has been played, and then some more.
func (w *world) follow(ctx context.Context) {
	for more := 3; more > 0; {
		if err := w.proxy.Quiet(ctx, w.arrived); err != nil {
			w.t.Errorf("a write never arrived: %v\n%s\nthe server has %v", err, w.ledger.text(), w.objects)
			return
		}
		if w.played() {
			more--
		}
		if w.drawn(4) == 0 {
			time.Sleep(90*time.Second + time.Millisecond) // a bookmark comes meanwhile, and none in the same moment
		}
		w.write()
	}
	require.NoError(w.t, w.proxy.Quiet(ctx, w.arrived))
}

func (w *world) arrived() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ledger.holds(w.objects)
}

func (w *world) played() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.requests > len(w.script)
}

func (w *world) drawn(n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.draw.IntN(n)
}

// inTheGap writes while a response breaks.
func (w *world) inTheGap(r faults.Record, f faults.Fault) {
	w.meets(r.Query, f.Kind)
	if f.Kind != faults.Delay && f.Kind != faults.DropBookmarks && w.drawn(2) == 0 {
		w.write()
	}
}

// meets counts.
func (w *world) meets(q url.Values, kind faults.Kind) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.met[fmt.Sprintf("%s: %s", kindOf(q), kind)]++
}

// write changes one object of five.
func (w *world) write() {
	w.mu.Lock()
	defer w.mu.Unlock()
	name := fmt.Sprint("cm-", w.draw.IntN(5))
	method, target := http.MethodPost, configMaps
	if _, exists := w.objects[name]; exists {
		method, target = http.MethodPut, configMaps+"/"+name
		if w.draw.IntN(3) == 0 {
			method = http.MethodDelete
		}
	}
	body := fmt.Sprintf(`{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":%q},"data":{"n":"%d"}}`,
		name, w.draw.Int())
	r, err := http.NewRequest(method, target, strings.NewReader(body))
	require.NoError(w.t, err)
	r.Header.Set("Content-Type", "application/json")
	answer, err := w.server.RoundTrip(r)
	require.NoError(w.t, err)
	defer answer.Body.Close()
	var object struct {
		Metadata struct{ ResourceVersion string }
	}
	require.NoError(w.t, json.NewDecoder(answer.Body).Decode(&object))
	require.Less(w.t, answer.StatusCode, 300, "%s %s", method, target)
	if method == http.MethodDelete {
		delete(w.objects, name)
	} else {
		w.objects[name] = object.Metadata.ResourceVersion
	}
}

// Faults is a faults.Script: the proxy does what RoundTrip has left for it.
func (w *world) Faults(_ int, verb faults.Verb) []faults.Fault {
	w.mu.Lock()
	defer w.mu.Unlock()
	return faults.Written(w.next).Faults(0, verb)
}

// RoundTrip is where a reflector's requests come through.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) {
	q := r.URL.Query()
	kind := kindOf(q)
	_ = w.ledger.write(nil, "%s", asked(q))
	w.mu.Lock()
	w.requests++
	w.next = nil
	if w.requests <= len(w.script) {
		w.next = w.script[w.requests-1]
	}
	next := w.next
	w.mu.Unlock()
	if len(next) > 0 {
		gets, ok := inFront[next[0].Kind]
		switch {
		case ok && gets(kind):
			w.inTheGap(faults.Record{Query: q}, next[0])
			return answer(next[0].Kind, r)
		case ok:
			// No request of this kind gets the answer. A watch that nothing ends would be the last of the run.
			w.leave([]faults.Fault{{Kind: faults.Close, Event: 2}})
		}
	}
	return w.proxy.Client().Transport.RoundTrip(r)
}

// leave says what the proxy does to the request that is on its way to it.
func (w *world) leave(next []faults.Fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.next = next
}

// The kinds of requests.
const (
	listing   = "LIST"
	watching  = "WATCH"
	streaming = "STREAM"
)

func kindOf(q url.Values) string {
	switch {
	case q.Get("sendInitialEvents") == "true":
		return streaming
	case q.Get("watch") == "true":
		return watching
	}
	return listing
}

// asked is a request as the ledger has it.
func asked(q url.Values) string {
	text := kindOf(q)
	keys := []string{"resourceVersion", "resourceVersionMatch", "limit", "continue", "allowWatchBookmarks"}
	for _, key := range keys {
		if q.Has(key) {
			text += fmt.Sprintf(" %s=%s", key, q.Get(key))
		}
	}
	return text
}

// listWatcher is client-go's, over HTTP.
func (w *world) listWatcher() cache.ListerWatcher {
	set, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: "http://memory", QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}, &http.Client{Transport: w})
	require.NoError(w.t, err)
	return cache.NewListWatchFromClient(set.CoreV1().RESTClient(), "configmaps", "default", fields.Everything())
}

func response(r *http.Request, code int, body string) *http.Response {
	return &http.Response{StatusCode: code, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)), Request: r}
}

func connectionRefused(r *http.Request) error {
	dial := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	return &url.Error{Op: "Get", URL: r.URL.String(), Err: dial}
}

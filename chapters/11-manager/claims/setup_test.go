package claims

import (
	"cmp"
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest/crash"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/pipe"
)

// childEnv is the environment variable that has this test binary be one of its children.
const childEnv = "SCRATCH_11_CHILD"

// children are the programs that tests start as processes of their own. What one is told is in variables of its own.
var children = map[string]func() int{}

func TestMain(m *testing.M) {
	crash.Main(killed)
	klog.SetLogger(logr.Discard())                            // or what is refused on purpose is logged
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1] // the other waits, and counts time across bubbles
	if child := children[os.Getenv(childEnv)]; child != nil {
		os.Exit(child())
	}
	if os.Getenv(childEnv) == "" { // or the child's scene sets the logger, if anything does
		opened.Global(nil)
	}
	cluster.Main(m)
}

// world is an API server in memory, and a record of what somebody does who was given its config. It is for bubbles.
type world struct {
	t      *testing.T
	record *opened.Record
	config *rest.Config         // requests over it are recorded
	user   kubernetes.Interface // requests of the user are not
	wire   *meddler
}

// newWorld makes one that serves ConfigMaps, Secrets, Namespaces and Leases.
func newWorld(t *testing.T) *world {
	t.Helper()
	resource := func(plural, kind string) apiserver.Resource {
		return apiserver.Resource{Version: "v1", Plural: plural, Kind: kind, AddToScheme: corev1.AddToScheme}
	}
	namespaces, leases := resource("namespaces", "Namespace"), resource("leases", "Lease")
	namespaces.ClusterScoped = true
	leases.Group, leases.AddToScheme = "coordination.k8s.io", coordinationv1.AddToScheme
	handler := apiserver.New(storage.New(storage.Options{}), apiserver.Options{WatchTimeout: 1000 * time.Hour},
		apiserver.ConfigMaps, resource("secrets", "Secret"), resource("events", "Event"), namespaces, leases)
	transport, stop := pipe.Serve(handler)
	t.Cleanup(stop)
	json := rest.ContentConfig{ContentType: runtime.ContentTypeJSON}
	user, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: "http://memory", QPS: -1, ContentConfig: json},
		&http.Client{Transport: transport})
	require.NoError(t, err)
	w := &world{t: t, record: opened.New(), user: user, wire: &meddler{next: transport}}
	w.config = &rest.Config{Host: "http://memory", QPS: -1, ContentConfig: json, Transport: w.wire}
	w.config.Wrap(w.record.Transport(""))
	opened.Global(w.record)
	t.Cleanup(func() { opened.Global(nil) })
	return w
}

// options are those of a manager that is recorded.
func (w *world) options() ctrl.Options {
	options := ctrl.Options{Logger: w.record.Logger(), Metrics: server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)}, NewCache: w.record.NewCache(nil)}
	options.Cache.NewInformer = w.record.NewInformer(nil)
	return options
}

// elected are the options of a manager that runs for election.
func (w *world) elected() ctrl.Options {
	options := w.options()
	options.LeaderElection, options.LeaderElectionID, options.LeaderElectionNamespace = true, "mirror", "home"
	return options
}

func (w *world) manager(options ctrl.Options) ctrl.Manager {
	w.t.Helper()
	m, err := ctrl.NewManager(w.config, options)
	require.NoError(w.t, err)
	return m
}

// create has the user make a ConfigMap.
func (w *world) create(namespace, name string) {
	w.t.Helper()
	_, err := w.user.CoreV1().ConfigMaps(namespace).Create(w.t.Context(), configMap(namespace, name),
		metav1.CreateOptions{})
	require.NoError(w.t, err)
}

// pass lets virtual time pass, and then nothing moves.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// meddler is a transport that can be told to answer in the server's place.
type meddler struct {
	next http.RoundTripper

	mu     sync.Mutex // guards what is below
	answer func(*http.Request) (*http.Response, error)
}

// RoundTrip implements http.RoundTripper.
func (w *meddler) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	answer := w.answer
	w.mu.Unlock()
	if answer != nil {
		if response, err := answer(r); response != nil || err != nil {
			return response, err
		}
	}
	return w.next.RoundTrip(r)
}

// instead has answer asked first, from now on. It returns nil and nil for what it does not answer.
func (w *meddler) instead(answer func(*http.Request) (*http.Response, error)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer = answer
}

// running is something that runs until it is stopped.
type running struct {
	Stop  func() error    // has it stop, waits for its end, and says how it ended
	Ended <-chan struct{} // is closed at its end
}

// start runs something until it is stopped, at the end of the test at the latest.
func start(t *testing.T, run func(context.Context) error) running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	var err error
	go func() {
		defer close(ended)
		err = run(ctx)
	}()
	stop := sync.OnceValue(func() error {
		cancel()
		<-ended
		return err
	})
	t.Cleanup(func() { _ = stop() })
	return running{stop, ended}
}

// over says whether it has ended.
func (r running) over() bool {
	select {
	case <-r.Ended:
		return true
	default:
		return false
	}
}

// Names of upstream's types, in which tests would otherwise drown.
type (
	configMapType = corev1.ConfigMap
	ctrlObject    = client.Object
	ctrlKey       = client.ObjectKey
)

func configMap(namespace, name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
}

// request is what a controller is called for.
func request(namespace, name string) (r reconcile.Request) {
	r.Namespace, r.Name = namespace, name
	return r
}

// asks are a controller's options, recorded, with a queue that upstream makes by default.
func (w *world) asks(name string, reconciler reconcile.Reconciler) controller.Options {
	return controller.Options{Reconciler: w.record.Reconciler(name, reconciler), NewQueue: w.record.NewQueue(nil),
		Logger: w.record.Logger(), SkipNameValidation: ptr.To(true)}
}

// reconciles is a reconciler that does nothing but return.
func reconciles(result reconcile.Result, err error) reconcile.Reconciler {
	return reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) { return result, err })
}

// adds is a source that adds these to the queue when it is started, and nothing after that. The queue is sent to got,
// if that is not nil.
func adds(got chan<- opened.Queue, all ...reconcile.Request) source.Source {
	return source.Func(func(_ context.Context, queue opened.Queue) error {
		for _, r := range all {
			queue.Add(r)
		}
		if got != nil {
			got <- queue
		}
		return nil
	})
}

// instant is an event and when it was, as tests compare them.
type instant struct {
	at   time.Duration
	what string
}

// moments are the events of these parts, with their times. Those of one time that nothing orders are sorted.
func moments(record *opened.Record, parts ...opened.Part) (all []instant) {
	for _, e := range record.Events(parts...) {
		all = append(all, instant{e.At, e.String()})
	}
	return all
}

// sorted sorts what happened at the same time, where nothing orders it.
func sorted(all []instant) []instant {
	slices.SortStableFunc(all, func(a, b instant) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.what, b.what))
	})
	return all
}

// times are when events of this text were.
func times(record *opened.Record, text string) (all []time.Duration) {
	for _, e := range record.Events() {
		if e.String() == text {
			all = append(all, e.At)
		}
	}
	return all
}

// log are the lines of the log: level, message, and the error if there is one.
func (w *world) log() (all []string) {
	for _, e := range w.record.Events(opened.Log) {
		line := e.What
		if quoted, err := strconv.QuotedPrefix(strings.TrimPrefix(e.Item, "error=")); err == nil {
			text, _ := strconv.Unquote(quoted)
			line += ": " + text
		}
		all = append(all, line)
	}
	return all
}

// between cuts what stands around a text.
func between(text, before, after string) (string, bool) {
	text, ok := strings.CutPrefix(text, before)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(text, after)
}

// late has requests for a collection wait before they are sent.
func late(collection string, d time.Duration) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/"+collection) && r.Method == http.MethodGet {
			select {
			case <-time.After(d):
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		}
		return nil, nil
	}
}

// text is the body of an answer.
func text(s string) io.ReadCloser { return io.NopCloser(strings.NewReader(s)) }

// behind has what watches of a collection say come later than it was said.
func (w *meddler) behind(collection string, d time.Duration) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		if !strings.HasSuffix(r.URL.Path, "/"+collection) || r.URL.Query().Get("watch") == "" {
			return nil, nil
		}
		response, err := w.next.RoundTrip(r)
		if err == nil {
			response.Body = slow{response.Body, r.Context(), d}
		}
		return response, err
	}
}

// slow is a body whose parts come late.
type slow struct {
	io.ReadCloser
	ctx context.Context // of the request
	by  time.Duration
}

func (s slow) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	select {
	case <-time.After(s.by):
	case <-s.ctx.Done():
	}
	return n, err
}

// unique is different each time.
func unique() string { return rand.Text() }

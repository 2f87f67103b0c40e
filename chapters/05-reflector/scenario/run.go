package scenario

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// Label is the label of the ConfigMaps that are listed and watched.
const Label = "shop"

// Reflector is what is played with.
type Reflector interface {
	// RunWithContext lists and watches until ctx ends.
	RunWithContext(ctx context.Context)
}

// Run is one reflector of ConfigMaps and one mishap.
type Run struct {
	// Cluster has the server and the namespace.
	Cluster *lab.Cluster
	// New makes the reflector.
	New func(source cache.ListerWatcher, store cache.ReflectorStore) Reflector
	// Mishap is what goes wrong.
	Mishap Mishap
	// Tune changes the options of each request. It may be nil.
	Tune func(*metav1.ListOptions)

	// Request, Fault, Told and Logged are called in the order of what happens, if they are not nil: with a request that
	// is about to be sent, with what goes wrong with it, with what the store was told, and with a line of the log.
	Request     func(*http.Request)
	Fault, Told func(text string)
	Logged      func(message string, err any)
}

// note is one thing that happened.
type note struct {
	at      time.Time
	failure bool
	replace bool
	next    Next // of a request
}

// Session is a run that has begun.
type Session struct {
	// Store is what the reflector writes to.
	Store *Store

	run     Run
	faults  int
	proxy   *faults.Proxy
	stop    context.CancelFunc
	stopped sync.WaitGroup

	stopping atomic.Bool
	mu       sync.Mutex
	notes    []note
	requests int
	calls    map[string]int  // of the store's methods
	names    map[string]bool // of the store's objects
	seen     string          // the version of the last thing that the reflector knows of
	changed  chan struct{}   // closed, and replaced, with each note
}

// Start begins the run. Stop ends it.
func (r Run) Start(ctx context.Context) (*Session, error) {
	count, script, err := r.Mishap.faults()
	if err != nil {
		return nil, err
	}
	s := &Session{run: r, faults: count, changed: make(chan struct{}), calls: map[string]int{}}
	s.Store = newStore(s)
	s.proxy = faults.New(r.Cluster.Server, r.Cluster.HTTPClient().Transport, script)
	s.proxy.OnFault(func(_ faults.Record, f faults.Fault) { s.failed(string(f.Kind) + ": " + texts[f.Kind]) })
	source, err := s.source()
	if err != nil {
		s.proxy.Close()
		return nil, err
	}
	ctx, s.stop = context.WithCancel(klog.NewContext(ctx, log(s.logged)))
	reflector := r.New(source, s.Store)
	s.stopped.Go(func() { reflector.RunWithContext(ctx) })
	return s, nil
}

// Stop ends the reflector, and returns how long that took.
func (s *Session) Stop() time.Duration {
	start := time.Now()
	s.stopping.Store(true)
	s.stop()
	s.stopped.Wait()
	took := time.Since(start)
	s.proxy.Close()
	return took
}

// source lists and watches the run's ConfigMaps. client-go's REST client would repeat some requests itself, and the
// reflector would never hear of it: here each answer comes through.
func (s *Session) source() (cache.ListerWatcher, error) {
	through := s.proxy.Client()
	through.Transport = &wire{session: s, next: through.Transport}
	client, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: "http://faults", QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}, through)
	if err != nil {
		return nil, err
	}
	get := func(o metav1.ListOptions) *rest.Request {
		o.LabelSelector = Label
		if s.run.Tune != nil {
			s.run.Tune(&o)
		}
		return client.CoreV1().RESTClient().Get().Namespace(s.run.Cluster.Namespace).Resource("configmaps").
			VersionedParams(&o, scheme.ParameterCodec).MaxRetries(0)
	}
	return cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			return get(o).Do(ctx).Get()
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			o.Watch = true
			return get(o).Watch(ctx)
		},
	}, client), nil
}

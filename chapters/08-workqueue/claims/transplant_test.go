package claims

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/kubernetes"
	clientgo "k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	ctrlcache "sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	ctrlpriority "sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/priorityqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

type (
	ctrlRequest = reconcile.Request
	ctrlLimiter = clientgo.TypedRateLimiter[ctrlRequest]
	ctrlQueue   = clientgo.TypedRateLimitingInterface[ctrlRequest]
)

// ours are the two queues of this chapter that a controller can have.
var ourQueues = map[string]func(ctrlLimiter) ctrlQueue{
	"three layers": func(l ctrlLimiter) ctrlQueue {
		return workqueue.NewRateLimiting(l, clientgo.TypedRateLimitingQueueConfig[ctrlRequest]{})
	},
	"priorities": func(l ctrlLimiter) ctrlQueue {
		return priorityqueue.New(priorityqueue.Options[ctrlRequest]{RateLimiter: l})
	},
}

// ledger has what happened to a queue and to a reconciler.
type ledger struct {
	news chan struct{} // of one element: there is something new, since this was last taken
	down chan struct{} // closed when the queue shuts down

	mu     sync.Mutex
	added  []entry
	calls  map[string][]call
	busy   map[string]bool   // by name: a worker has it
	atOnce int               // so many were reconciled at one time, at most
	twice  []string          // what two workers had at one time
	saw    map[string]string // by name: what was wanted when "have" last followed it
}

// entry is an item that was added, now or later, or that was handed out, with its priority.
type entry struct {
	name     string
	priority int
}

// call is one of Reconcile.
type call struct {
	begin, end time.Time
	cancelled  bool // its context was, when it began
}

func newLedger() *ledger {
	return &ledger{news: make(chan struct{}, 1), down: make(chan struct{}), calls: map[string][]call{},
		busy: map[string]bool{}, saw: map[string]string{}}
}

// note changes the ledger, and tells those who wait for it.
func (l *ledger) note(change func()) {
	l.mu.Lock()
	change()
	l.mu.Unlock()
	select {
	case l.news <- struct{}{}:
	default:
	}
}

// until waits until the condition holds. It is looked at, with the lock, when there is something new.
func (l *ledger) until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	locked := func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return holds()
	}
	for limit := time.After(30 * time.Second); !locked(); {
		select {
		case <-l.news:
		case <-limit:
			t.Fatalf("after 30 s: %s", what)
		}
	}
}

// during notes a call of do, which is told how often it was called for that name before.
func (l *ledger) during(ctx context.Context, name string, do func(before int)) {
	before := 0
	l.note(func() {
		before = len(l.calls[name])
		l.calls[name] = append(l.calls[name], call{begin: time.Now(), cancelled: ctx.Err() != nil})
		if l.busy[name] {
			l.twice = append(l.twice, name)
		}
		l.busy[name] = true
		l.atOnce = max(l.atOnce, len(l.busy))
	})
	do(before)
	l.note(func() {
		delete(l.busy, name)
		l.calls[name][before].end = time.Now()
	})
}

// pauses are how long it took from the end of each call for a name to the begin of the next.
func (l *ledger) pauses(name string) (all []time.Duration) {
	calls := l.calls[name]
	for i, c := range calls[1:] {
		all = append(all, c.begin.Sub(calls[i].end))
	}
	return all
}

// layered is a queue that notes what a controller adds at once, and its shutdown.
type layered struct {
	ctrlQueue
	*ledger
}

func (q layered) Add(item ctrlRequest) {
	q.ctrlQueue.Add(item)
	q.note(func() { q.added = append(q.added, entry{item.Name, 0}) })
}

func (q layered) ShutDown() {
	q.ctrlQueue.ShutDown()
	close(q.down)
}

// withPriorities is a queue with priorities that notes what a controller adds, now and later, and its shutdown. It is
// to controller-runtime what ours is: it looks whether a queue has AddWithOpts and GetWithPriority.
type withPriorities struct {
	ctrlpriority.PriorityQueue[ctrlRequest]
	*ledger
}

func (q withPriorities) AddWithOpts(o ctrlpriority.AddOpts, items ...ctrlRequest) {
	q.PriorityQueue.AddWithOpts(o, items...)
	for _, item := range items {
		q.note(func() { q.added = append(q.added, entry{item.Name, ptr.Deref(o.Priority, 0)}) })
	}
}

func (q withPriorities) ShutDown() {
	q.PriorityQueue.ShutDown()
	close(q.down)
}

// noting has a ledger note what becomes of a queue.
func noting(q ctrlQueue, l *ledger) ctrlQueue {
	if p, ok := q.(ctrlpriority.PriorityQueue[ctrlRequest]); ok {
		return withPriorities{p, l}
	}
	return layered{q, l}
}

// managed is a namespace in which a manager of controller-runtime's runs a controller.
type managed struct {
	t       *testing.T
	set     kubernetes.Interface
	in      string // the namespace
	manager ctrl.Manager
	ledger  *ledger
	queue   ctrlQueue // of the controller, when it has started
	options controller.Options
}

// newManaged gives the controller a queue, of which the ledger notes what becomes.
func newManaged(t *testing.T, workers int, l ctrlLimiter, fresh func(ctrlLimiter) ctrlQueue) *managed {
	c := cluster.New(t)
	access := kube.RESTConfig(t, c.Cluster)
	m := &managed{t: t, set: kube.Clientset(t, access), in: c.Namespace, ledger: newLedger()}
	var err error
	m.manager, err = ctrl.NewManager(access, ctrl.Options{
		Logger:     logr.Discard(),
		Metrics:    server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)}, // each test has one of this name
		Cache: ctrlcache.Options{
			DefaultNamespaces:    map[string]ctrlcache.Config{c.Namespace: {}},
			DefaultLabelSelector: labels.SelectorFromSet(labels.Set{"of": "the-test"}),
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { utilnet.CloseIdleConnectionsFor(m.manager.GetHTTPClient().Transport) })
	m.options = controller.Options{
		MaxConcurrentReconciles: workers,
		RateLimiter:             l,
		NewQueue: func(_ string, l ctrlLimiter) ctrlQueue {
			m.queue = noting(fresh(l), m.ledger)
			return m.queue
		},
	}
	return m
}

// start starts the manager with a controller. The stop that it returns waits for the end of both, but calls meanwhile
// before.
func (m *managed) start(do func(context.Context, ctrlRequest, int) (reconcile.Result, error)) (
	stop func(meanwhile func())) {
	m.options.Reconciler = reconcile.Func(func(ctx context.Context, r ctrlRequest) (
		result reconcile.Result, err error) {
		m.ledger.during(ctx, r.Name, func(before int) { result, err = do(ctx, r, before) })
		return result, err
	})
	control, err := controller.New("measured", m.manager, m.options)
	require.NoError(m.t, err)
	require.NoError(m.t, control.Watch(source.Kind(m.manager.GetCache(), client.Object(&corev1.ConfigMap{}),
		&handler.EnqueueRequestForObject{})))
	ctx, cancel := context.WithCancel(m.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.manager.Start(ctx) }()
	return func(meanwhile func()) {
		cancel()
		<-m.ledger.down
		meanwhile()
		require.NoError(m.t, <-ended)
	}
}

// put writes a ConfigMap, past the manager.
func (m *managed) put(name, want string) {
	m.t.Helper()
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name,
		Labels: map[string]string{"of": "the-test"}, Annotations: map[string]string{"want": want}}}
	maps := m.set.CoreV1().ConfigMaps(m.in)
	_, err := maps.Create(m.t.Context(), object, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		_, err = maps.Update(m.t.Context(), object, metav1.UpdateOptions{}) // which takes "have" away
	}
	require.NoError(m.t, err)
}

// puts writes several ConfigMaps.
func (m *managed) puts(name string, n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprint(name, "-", i))
		m.put(names[i], "1")
	}
	return names
}

// follow has the annotation "have" follow "want", with the manager's client.
func (m *managed) follow(ctx context.Context, r ctrlRequest) error {
	object := &corev1.ConfigMap{}
	if err := m.manager.GetClient().Get(ctx, r.NamespacedName, object); err != nil {
		return client.IgnoreNotFound(err)
	}
	want := object.Annotations["want"]
	if object.Annotations["have"] != want {
		before := object.DeepCopy()
		object.Annotations["have"] = want
		if err := m.manager.GetClient().Patch(ctx, object, client.MergeFrom(before)); err != nil {
			return err
		}
	}
	m.ledger.note(func() { m.ledger.saw[r.Name] = want })
	return nil
}

// got is what the API server has in "have".
func (m *managed) got(name string) string {
	object, err := m.set.CoreV1().ConfigMaps(m.in).Get(m.t.Context(), name, metav1.GetOptions{})
	require.NoError(m.t, err)
	return object.Annotations["have"]
}

const (
	firstDelay     = 10 * time.Millisecond // how long the first failure waits
	comesBackAfter = 40 * time.Millisecond // how long RequeueAfter does
	flakyFailures  = 5
	comesBack      = 3
	atWork         = 4
)

// TestAManagerRunsOnOurQueue gives ours to a controller of controller-runtime's, through controller.Options.NewQueue.
// Four workers reconcile at once, none of them what another has. What fails is tried again, later each time; what asks
// for it comes again; what changes while a worker has it comes again as well.
func TestAManagerRunsOnOurQueue(t *testing.T) {
	ctrllog.SetLogger(logr.Discard()) // or it complains on stderr, after 30 s
	for name, fresh := range ourQueues {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newManaged(t, atWork, workqueue.NewExponential[ctrlRequest](firstDelay, time.Minute), fresh)
			wanted := map[string]string{"flaky": "1", "held": "2", "returning": "1",
				"slow-1": "1", "slow-2": "1", "slow-3": "1", "slow-4": "1"}
			names := slices.Collect(maps.Keys(wanted))
			for _, name := range names {
				m.put(name, "1")
			}
			var meeting sync.WaitGroup // of four slow ones, which wait for each other
			meeting.Add(atWork)
			holds, release := make(chan struct{}), make(chan struct{})
			stop := m.start(func(ctx context.Context, r ctrlRequest, before int) (reconcile.Result, error) {
				switch {
				case r.Name == "flaky" && before < flakyFailures:
					return reconcile.Result{}, errors.New("not yet")
				case r.Name == "returning" && before < comesBack:
					return reconcile.Result{RequeueAfter: comesBackAfter}, nil
				case r.Name == "held" && before == 0:
					holds <- struct{}{}
					<-release
				case strings.HasPrefix(r.Name, "slow") && before == 0:
					meeting.Done()
					meeting.Wait()
				}
				return reconcile.Result{}, m.follow(ctx, r)
			})

			<-holds
			m.ledger.until(t, "held was added", func() bool { return m.adds("held") == 1 })
			m.put("held", "2")
			m.ledger.until(t, "held was added again", func() bool { return m.adds("held") == 2 })
			close(release)
			m.ledger.until(t, "all are followed", func() bool {
				return !slices.ContainsFunc(names, func(name string) bool { return m.ledger.saw[name] != wanted[name] })
			})
			for _, name := range names {
				require.Equal(t, wanted[name], m.got(name), name)
			}
			stop(func() {})
			m.check()
		})
	}
}

// adds says how often an item was added. The caller holds the ledger's lock.
func (m *managed) adds(name string) (n int) {
	for _, a := range m.ledger.added {
		if a.name == name {
			n++
		}
	}
	return n
}

// check looks at the ledger when the manager has ended.
func (m *managed) check() {
	l, t := m.ledger, m.t
	require.Empty(t, l.twice, "two workers had them at one time")
	require.Equal(t, atWork, l.atOnce)
	for i, pause := range l.pauses("flaky")[:flakyFailures] {
		require.GreaterOrEqual(t, pause, firstDelay<<i, "after failure %d", i+1)
	}
	for _, pause := range l.pauses("returning")[:comesBack] {
		require.GreaterOrEqual(t, pause, comesBackAfter)
	}
	require.GreaterOrEqual(t, len(l.calls["held"]), 2, "it was added while a worker had it")
	for name := range l.calls {
		r := ctrlRequest{NamespacedName: client.ObjectKey{Namespace: m.in, Name: name}}
		require.Zero(t, m.queue.NumRequeues(r), "%s has succeeded, and is forgotten", name)
	}
}

// TestAManagerStopsInTheMiddle stops a manager while all workers are busy, five items are ready, and one waits for an
// hour. The workers finish what they have. What is ready they still get, with a context that is cancelled, and the
// manager waits for that. Only upstream's queue with priorities, which is controller-runtime's default, drops it. What
// waits is dropped by each.
func TestAManagerStopsInTheMiddle(t *testing.T) {
	const ready = 5
	type stopped struct {
		fresh    func(ctrlLimiter) ctrlQueue
		finishes bool // what is ready
	}
	queues := map[string]stopped{
		"upstream's three layers": {func(l ctrlLimiter) ctrlQueue {
			return clientgo.NewTypedRateLimitingQueue(l)
		}, true},
		"upstream's priorities": {func(l ctrlLimiter) ctrlQueue {
			return ctrlpriority.New("", func(o *ctrlpriority.Opts[ctrlRequest]) { o.RateLimiter = l })
		}, false},
	}
	for name, fresh := range ourQueues {
		queues["our "+name] = stopped{fresh, true}
	}
	ctrllog.SetLogger(logr.Discard())
	for name, q := range queues {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newManaged(t, atWork, workqueue.NewExponential[ctrlRequest](firstDelay, time.Minute), q.fresh)
			release := make(chan struct{})
			stop := m.start(func(_ context.Context, r ctrlRequest, _ int) (reconcile.Result, error) {
				switch {
				case r.Name == "later":
					return reconcile.Result{RequeueAfter: time.Hour}, nil
				case strings.HasPrefix(r.Name, "slow"):
					<-release
				}
				return reconcile.Result{}, nil
			})
			m.put("later", "1")
			m.ledger.until(t, "later was reconciled", func() bool { return len(m.ledger.calls["later"]) == 1 })
			m.puts("slow", atWork)
			m.ledger.until(t, "each worker has a slow one", func() bool { return len(m.ledger.calls) == 1+atWork })
			names := m.puts("ready", ready)
			m.ledger.until(t, "all are ready", func() bool {
				return !slices.ContainsFunc(names, func(name string) bool { return m.adds(name) == 0 })
			})
			require.Equal(t, ready, m.queue.Len()) // takes in what was added to upstream's with priorities
			stop(func() {
				require.Equal(t, ready, m.queue.Len())
				close(release)
			})
			require.Empty(t, m.ledger.twice)
			require.Len(t, m.ledger.calls["later"], 1, "what waits is dropped")
			for _, name := range names {
				if calls := m.ledger.calls[name]; q.finishes {
					require.Len(t, calls, 1)
					require.True(t, calls[0].cancelled)
				} else {
					require.Empty(t, calls)
				}
			}
		})
	}
}

package claims

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	clientgo "k8s.io/client-go/util/workqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

type (
	objectName  = cache.ObjectName
	objectQueue = clientgo.TypedRateLimitingInterface[objectName]
)

// stacks put layers of ours and of upstream's on each other, through the configs in which upstream's constructors take
// the layer beneath.
var stacks = map[string]func(clientgo.TypedRateLimiter[objectName]) objectQueue{
	"upstream's limits, upstream's delays, our queue": func(l clientgo.TypedRateLimiter[objectName]) objectQueue {
		return upstreamLimits(l, clientgo.NewTypedDelayingQueueWithConfig(over(ourQueue())))
	},
	"upstream's limits, our delays, our queue": func(l clientgo.TypedRateLimiter[objectName]) objectQueue {
		return upstreamLimits(l, workqueue.NewDelaying(over(ourQueue())))
	},
	"upstream's limits, our delays, upstream's queue": func(l clientgo.TypedRateLimiter[objectName]) objectQueue {
		return upstreamLimits(l, workqueue.NewDelaying(over(clientgo.NewTyped[objectName]())))
	},
	"our limits, upstream's delays, our queue": func(l clientgo.TypedRateLimiter[objectName]) objectQueue {
		return ourLimits(l, clientgo.NewTypedDelayingQueueWithConfig(over(ourQueue())))
	},
	"our limits, upstream's delays, upstream's queue": func(l clientgo.TypedRateLimiter[objectName]) objectQueue {
		return ourLimits(l, clientgo.NewTypedDelayingQueue[objectName]())
	},
	"our limits, our delays, our queue": func(l clientgo.TypedRateLimiter[objectName]) objectQueue {
		return workqueue.NewRateLimiting(l, clientgo.TypedRateLimitingQueueConfig[objectName]{})
	},
}

func ourQueue() clientgo.TypedInterface[objectName] {
	return workqueue.New(clientgo.TypedQueueConfig[objectName]{})
}

func over(q clientgo.TypedInterface[objectName]) clientgo.TypedDelayingQueueConfig[objectName] {
	return clientgo.TypedDelayingQueueConfig[objectName]{Queue: q}
}

func upstreamLimits(l clientgo.TypedRateLimiter[objectName],
	q clientgo.TypedDelayingInterface[objectName]) objectQueue {
	return clientgo.NewTypedRateLimitingQueueWithConfig(l,
		clientgo.TypedRateLimitingQueueConfig[objectName]{DelayingQueue: q})
}

func ourLimits(l clientgo.TypedRateLimiter[objectName], q clientgo.TypedDelayingInterface[objectName]) objectQueue {
	return workqueue.NewRateLimiting(l, clientgo.TypedRateLimitingQueueConfig[objectName]{DelayingQueue: q})
}

// plain is a controller as client-go's examples have it: a handler of an informer adds names, and workers get them.
type plain struct {
	t      *testing.T
	set    kubernetes.Interface
	lister listers.ConfigMapLister
	queue  objectQueue
	ledger *ledger
	in     string // the namespace
}

// newPlain returns a controller whose informer runs. The queue gets what has the label.
func newPlain(t *testing.T, q objectQueue) *plain {
	c := cluster.New(t)
	p := &plain{t: t, set: kube.Clientset(t, kube.RESTConfig(t, c.Cluster)), queue: q, ledger: newLedger(),
		in: c.Namespace}
	factory := informers.NewSharedInformerFactoryWithOptions(p.set, 0, informers.WithNamespace(p.in),
		informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.LabelSelector = "of=the-test" }))
	maps := factory.Core().V1().ConfigMaps()
	p.lister = maps.Lister()
	add := func(object any) {
		key, err := cache.ObjectToName(object)
		require.NoError(t, err)
		q.Add(key)
		p.ledger.note(func() { p.ledger.added = append(p.ledger.added, entry{key.Name, 0}) })
	}
	_, err := maps.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: add,
		UpdateFunc: func(_, object any) { add(object) }})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	factory.StartWithContext(ctx)
	t.Cleanup(func() { cancel(); factory.Shutdown() })
	return p
}

// errAgain has a key come again in an interval.
var errAgain = errors.New("again")

// work is a worker's loop.
func (p *plain) work(process func(key objectName, before int) error) {
	for {
		key, shutdown := p.queue.Get()
		if shutdown {
			return
		}
		var err error
		p.ledger.during(p.t.Context(), key.Name, func(before int) { err = process(key, before) })
		switch err {
		case nil:
			p.queue.Forget(key)
		case errAgain:
			p.queue.Forget(key)
			p.queue.AddAfter(key, comesBackAfter)
		default:
			p.queue.AddRateLimited(key)
		}
		p.queue.Done(key)
	}
}

// put creates a ConfigMap, or changes what is wanted of it.
func (p *plain) put(want string, names ...string) {
	p.t.Helper()
	for _, name := range names {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name,
			Labels: map[string]string{"of": "the-test"}}, Data: map[string]string{"want": want}}
		maps := p.set.CoreV1().ConfigMaps(p.in)
		_, err := maps.Create(p.t.Context(), object, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			_, err = maps.Update(p.t.Context(), object, metav1.UpdateOptions{})
		}
		require.NoError(p.t, err)
	}
}

// TestAWorkerLoopRunsOnMixedLayers runs client-go's kind of controller on ours and upstream's layers in any order: an
// informer's handler adds, four workers get, what fails is added rate limited. At the end the queue drains: what is in
// the line is still worked off.
func TestAWorkerLoopRunsOnMixedLayers(t *testing.T) {
	for stack, fresh := range stacks {
		t.Run(stack, func(t *testing.T) {
			t.Parallel()
			p := newPlain(t, fresh(workqueue.NewExponential[objectName](firstDelay, time.Minute)))
			var working, meeting sync.WaitGroup
			meeting.Add(atWork)
			holds, release, stop := make(chan struct{}), make(chan struct{}), make(chan struct{})
			for range atWork {
				working.Go(func() {
					p.work(func(key objectName, before int) error {
						switch {
						case key.Name == "flaky" && before < flakyFailures:
							return errors.New("not yet")
						case key.Name == "returning" && before < comesBack:
							return errAgain
						case key.Name == "held" && before == 0:
							holds <- struct{}{}
							<-release
						case strings.HasPrefix(key.Name, "slow"):
							meeting.Done()
							meeting.Wait()
						case strings.HasPrefix(key.Name, "last"):
							<-stop
						}
						object, err := p.lister.ConfigMaps(key.Namespace).Get(key.Name)
						p.ledger.note(func() { p.ledger.saw[key.Name] = object.Data["want"] })
						return err
					})
				})
			}
			p.put("1", "held", "flaky", "returning", "slow-1", "slow-2", "slow-3", "slow-4")
			<-holds
			p.put("2", "held")
			p.ledger.until(t, "held was added again", func() bool { return len(p.ledger.added) == 8 })
			close(release)
			p.ledger.until(t, "all were processed", func() bool {
				return len(p.ledger.saw) == 7 && p.ledger.saw["held"] == "2"
			})

			p.put("1", "last-1", "last-2", "last-3", "last-4")
			p.ledger.until(t, "all workers are busy", func() bool { return len(p.ledger.calls) == 11 })
			p.put("1", "behind-1", "behind-2")
			p.ledger.until(t, "two are in the line", func() bool { return len(p.ledger.added) == 14 })
			drained := make(chan struct{})
			go func() {
				defer close(drained)
				p.queue.ShutDownWithDrain()
			}()
			close(stop)
			<-drained
			working.Wait()
			p.queue.ShutDown() // or upstream's delays keep their goroutine for ten seconds
			p.check()
		})
	}
}

// check looks at the ledger when the workers have ended.
func (p *plain) check() {
	l, t := p.ledger, p.t
	require.Empty(t, l.twice, "two workers had them at one time")
	require.Equal(t, atWork, l.atOnce)
	for i, pause := range l.pauses("flaky") {
		require.GreaterOrEqual(t, pause, firstDelay<<i, "after failure %d", i+1)
	}
	for _, pause := range l.pauses("returning") {
		require.GreaterOrEqual(t, pause, comesBackAfter)
	}
	want := map[string]int{"held": 2, "flaky": 1 + flakyFailures, "returning": 1 + comesBack}
	for name, calls := range l.calls {
		require.Len(t, calls, max(1, want[name]), name)
		require.Zero(t, p.queue.NumRequeues(cache.NewObjectName(p.in, name)))
	}
	require.Contains(t, l.calls, "behind-2", "it was in the line when the queue shut down")
}

package mirror

import (
	"context"
	"errors"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// Options are what a controller is told. Group and Parts have no default.
type Options struct {
	// Group is the value of the label [Group] of all that this controller sees.
	Group string
	// Parts are [ClientGo] or [Book], or a mixture.
	Parts Parts
	// Workers is how many runs there may be at one time. 2 by default.
	Workers int
	// Limiter says how long a key waits that has failed. By default 5 ms, then twice as long each time, and a minute at
	// most: whoever takes what is in a mirror's place away waits no longer for the mirror.
	Limiter workqueue.TypedRateLimiter[Key]
	// Report is told of failures: see [Work.Report].
	Report func(Key, error)
	// Observe is called after each run, by the worker, with what came of it. It may be nil.
	Observe func(Key, error)
}

// Controller mirrors ConfigMaps. It runs once.
type Controller struct {
	options Options
	caches  caches
	writer  client
	queue   workqueue.TypedRateLimitingInterface[Key]
}

// New makes a controller that has not begun.
func New(over kubernetes.Interface, options Options) (*Controller, error) {
	if options.Group == "" {
		return nil, errors.New("a mirror controller needs a group: Options.Group is empty, and would select nothing")
	}
	if options.Workers <= 0 {
		options.Workers = 2
	}
	if options.Limiter == nil {
		options.Limiter = workqueue.NewTypedItemExponentialFailureRateLimiter[Key](5*time.Millisecond, time.Minute)
	}
	writer := client{over, NewWritten()}
	c := &Controller{options: options, writer: writer, queue: options.Parts.Queue(options.Limiter), caches: caches{
		configMaps: options.Parts.Informer(writer.configMaps(options.Group), &corev1.ConfigMap{}, indexers()),
		namespaces: options.Parts.Informer(writer.namespaces(options.Group), &corev1.Namespace{}, cache.Indexers{}),
	}}
	return c, nil
}

// Run runs the controller until ctx ends: informers first, then, when they have synced, workers. It returns when all
// that it has started has ended. It is an error if ctx ends before the caches have synced.
func (c *Controller) Run(ctx context.Context) error {
	informers, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var running sync.WaitGroup
	err := c.run(ctx, informers, &running)
	stop()         // after the workers: a run that is under way reads the caches
	running.Wait() // not deferred: a handler that is busy would keep a panic back
	return err
}

// run is Run, but for the end of the informers.
func (c *Controller) run(ctx, informers context.Context, running *sync.WaitGroup) error {
	handler := c.options.Parts.Handler(c.caches, c.queue.Add)
	var synced []cache.DoneChecker
	for _, i := range []cache.SharedIndexInformer{c.caches.configMaps, c.caches.namespaces} {
		registered, err := i.AddEventHandler(handler)
		if err != nil {
			c.queue.ShutDown()
			return err
		}
		synced = append(synced, i.HasSyncedChecker(), registered.HasSyncedChecker())
		running.Go(func() { i.RunWithContext(informers) })
	}
	return c.options.Parts.Work(ctx, Work{Workers: c.options.Workers, Queue: c.queue, Synced: synced,
		Reconcile: c.reconcile, Report: c.options.Report})
}

// reconcile is one run: not while the cache is behind what the last one has written.
func (c *Controller) reconcile(ctx context.Context, place Key) (err error) {
	if c.options.Observe != nil {
		defer func() { c.options.Observe(place, err) }()
	}
	if err := c.writer.written.Check(place, c.caches.configMaps.GetStore().LastStoreSyncResourceVersion()); err != nil {
		return err
	}
	return c.options.Parts.Reconcile(ctx, place, c.caches, c.writer)
}

package informer

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

var _ cache.SharedIndexInformer = (*SharedIndexInformer)(nil)

// SharedIndexInformer keeps a store equal to what a ListerWatcher lists and watches, and notifies handlers. The store
// is at least as fresh as any notification. One handler is called by one goroutine, in the order in which the store
// changed; between handlers there is no order, and none waits for another.
//
// All methods are safe for concurrent use. Handlers may call them, too. Run it once.
//
// Upstream: sharedIndexInformer, in tools/cache/shared_informer.go.
type SharedIndexInformer struct {
	source   cache.ListerWatcher
	example  runtime.Object
	options  Options
	store    cache.Indexer
	synced   chan struct{} // closed when the store holds the first list
	handlers distributor

	lock        sync.Mutex // guards what is below; taken before that of handlers
	started     bool
	stopped     bool
	controller  cache.Controller // nil before the start
	checkPeriod time.Duration    // how often it is asked whether somebody wants a resync
	watchError  cache.WatchErrorHandlerWithContext
	transform   cache.TransformFunc
}

// New makes an informer of objects like the example, which has not begun. Events of objects of another type are left
// out, as by the reflector; nil expects anything.
//
// Upstream: NewSharedIndexInformerWithOptions.
func New(lw cache.ListerWatcher, example runtime.Object, options Options) *SharedIndexInformer {
	options = options.complete(example)
	return &SharedIndexInformer{
		source:      lw,
		example:     example,
		options:     options,
		store:       options.Parts.Store(cache.DeletionHandlingMetaNamespaceKeyFunc, options.Indexers),
		synced:      make(chan struct{}),
		handlers:    distributor{mutations: options.MutationDetector, clock: options.Clock},
		checkPeriod: options.ResyncPeriod,
	}
}

// NewSharedIndexInformer is [New] as those call it who make informers for others: informers.SharedInformerFactory and
// controller-runtime's cache.Options.NewInformer.
//
// Upstream: the function of the same name.
func NewSharedIndexInformer(lw cache.ListerWatcher, example runtime.Object, resyncPeriod time.Duration,
	indexers cache.Indexers) cache.SharedIndexInformer {
	return New(lw, example, Options{ResyncPeriod: resyncPeriod, Indexers: indexers})
}

// GetStore is the store. Only the informer writes it.
func (s *SharedIndexInformer) GetStore() cache.Store { return s.store }

// GetIndexer is the store.
func (s *SharedIndexInformer) GetIndexer() cache.Indexer { return s.store }

// AddIndexers adds indexes to the store, also while the informer runs. An error is the store's, or says that the
// informer has stopped.
func (s *SharedIndexInformer) AddIndexers(indexers cache.Indexers) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.stopped {
		return errors.New("indexers were not added, because the informer has stopped")
	}
	return s.store.AddIndexers(indexers)
}

// HasSynced says whether the store holds all that the first list had. It says nothing about handlers: see
// [Registration.HasSynced].
func (s *SharedIndexInformer) HasSynced() bool { return cache.IsDone(s.HasSyncedChecker()) }

// HasSyncedChecker is done when HasSynced is true.
func (s *SharedIndexInformer) HasSyncedChecker() cache.DoneChecker {
	return done{fmt.Sprintf("SharedIndexInformer %T", s.example), s.synced}
}

// LastSyncResourceVersion is the reflector's: the version of the last event that it has put into the queue. The store
// may be older. "" before there is one.
func (s *SharedIndexInformer) LastSyncResourceVersion() string {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.controller == nil {
		return ""
	}
	return s.controller.LastSyncResourceVersion()
}

// IsStopped says whether the informer has run. It does not run again.
func (s *SharedIndexInformer) IsStopped() bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.stopped
}

// errStarted is what a setting that comes too late gets.
var errStarted = errors.New("informer has already started")

// SetWatchErrorHandler has the handler called with each failure of a list or a watch, instead of logging it. The last
// call wins. It is an error when the informer has started.
func (s *SharedIndexInformer) SetWatchErrorHandler(handler cache.WatchErrorHandler) error {
	return s.SetWatchErrorHandlerWithContext(withoutContext(handler))
}

// SetWatchErrorHandlerWithContext is SetWatchErrorHandler for a handler that wants the context.
func (s *SharedIndexInformer) SetWatchErrorHandlerWithContext(handler cache.WatchErrorHandlerWithContext) error {
	return s.set(func() { s.watchError = handler })
}

// SetTransform has each object pass the function before it is stored. It is an error when the informer has started.
func (s *SharedIndexInformer) SetTransform(transform cache.TransformFunc) error {
	return s.set(func() { s.transform = transform })
}

// set makes a setting, if it is not too late.
func (s *SharedIndexInformer) set(setting func()) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.started {
		return errStarted
	}
	setting()
	return nil
}

// GetController is there because the interface wants it. What it returns answers as the informer does, and runs
// nothing.
func (s *SharedIndexInformer) GetController() cache.Controller { return idle{s} }

package informer

import (
	"errors"
	"fmt"
	"time"

	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
)

// AddEventHandler is AddEventHandlerWithOptions with the informer's resync period.
func (s *SharedIndexInformer) AddEventHandler(handler cache.ResourceEventHandler) (
	cache.ResourceEventHandlerRegistration, error) {
	return s.AddEventHandlerWithOptions(handler, cache.HandlerOptions{})
}

// AddEventHandlerWithResyncPeriod is AddEventHandlerWithOptions with this resync period; 0 for none.
func (s *SharedIndexInformer) AddEventHandlerWithResyncPeriod(handler cache.ResourceEventHandler,
	resyncPeriod time.Duration) (cache.ResourceEventHandlerRegistration, error) {
	return s.AddEventHandlerWithOptions(handler, cache.HandlerOptions{ResyncPeriod: &resyncPeriod})
}

// AddEventHandlerWithOptions has a handler notified from now on. It returns a *Registration. A handler that comes while
// the informer runs hears of each object in the store first, as an add of the initial list. An error says that there is
// no handler, or that the informer has stopped.
//
// Upstream: the method of the same name.
func (s *SharedIndexInformer) AddEventHandlerWithOptions(handler cache.ResourceEventHandler,
	options cache.HandlerOptions) (cache.ResourceEventHandlerRegistration, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	switch {
	case handler == nil:
		return nil, errors.New("the handler is nil: give AddEventHandler one, such as cache.ResourceEventHandlerFuncs")
	case s.stopped:
		return nil, fmt.Errorf("handler %T was not added, because the informer has stopped: make another informer", handler)
	}
	logger := ptr.Deref(options.Logger, klog.Background())
	r := newRegistration(handler, s.options.Parts.Buffer, logger, s.options.Clock)
	r.name = s.HasSyncedChecker().Name() + " + " + r.name
	r.resync = s.resyncFor(ptr.Deref(options.ResyncPeriod, s.options.ResyncPeriod), logger)
	s.join(r)
	return r, nil
}

// join takes in a handler. While it holds the lock no change goes to the store or to anybody: so what the store has
// now is initial, and what comes later is news.
func (s *SharedIndexInformer) join(r *Registration) {
	s.handlers.lock.Lock()
	defer s.handlers.lock.Unlock()
	s.handlers.join(r)
	if !s.handlers.started {
		return
	}
	for _, object := range s.store.List() {
		r.add(add(object, true))
	}
	if s.handlers.synced {
		r.initial.last()
	}
}

// resyncFor says when a new handler wants a resync. The caller holds the informer's lock.
func (s *SharedIndexInformer) resyncFor(wanted time.Duration, logger klog.Logger) resync {
	if wanted > 0 && wanted < minimumResyncPeriod {
		logger.Info("Warning: the resync period is raised to the minimum", "wanted", wanted, "used", minimumResyncPeriod)
		wanted = minimumResyncPeriod
	}
	if wanted > 0 && wanted < s.checkPeriod {
		if s.started {
			logger.Info("Warning: the resync period is raised to that of the informer, which runs already",
				"wanted", wanted, "used", s.checkPeriod)
			wanted = s.checkPeriod
		} else {
			s.checkPeriod = wanted
		}
	}
	period := possible(wanted, s.checkPeriod, logger)
	return resync{period: period, next: s.options.Clock.Now().Add(period), now: true}
}

// RemoveEventHandler has a handler notified no more. It does not wait: a call that has begun goes on, and one that was
// about to begin may begin. What waits besides is dropped. To wait, use cache.ShutDownEventHandler, but not in the
// handler, which would wait for itself.
// Removing again does nothing. An error says that the handle is of no informer of this package.
//
// Upstream: the method of the same name, after which several calls may begin.
func (s *SharedIndexInformer) RemoveEventHandler(handle cache.ResourceEventHandlerRegistration) error {
	r, ok := handle.(*Registration)
	if !ok {
		return fmt.Errorf("a handle of type %T was not made by this informer", handle)
	}
	s.handlers.lock.Lock()
	defer s.handlers.lock.Unlock()
	s.handlers.leave(r)
	return nil
}

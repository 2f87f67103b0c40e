package reflector

import "context"

// resync calls the store's Resync by a timer of its own, while watches come and go. It sends no request.
type resync struct {
	failed chan error // of one element: why it ended
	cancel context.CancelFunc
}

// startResync starts the timer. It must be cancelled. When resyncs has ended, the store is left alone.
//
// Upstream: startResync, in tools/cache/reflector.go.
func (r *Reflector) startResync(ctx context.Context) *resync {
	ctx, cancel := context.WithCancel(ctx)
	s := &resync{failed: make(chan error, 1), cancel: cancel}
	if r.options.ResyncPeriod != 0 {
		r.resyncs.Go(func() { s.run(ctx, r) })
	}
	return s
}

// run calls Resync after each period until an error or the end of ctx. The time that Resync takes does not count. What
// was due when ctx ended is done: after the next list the period begins anew.
func (s *resync) run(ctx context.Context, r *Reflector) {
	for r.sleep(ctx, r.options.ResyncPeriod) {
		if r.options.ShouldResync != nil && !r.options.ShouldResync() {
			continue
		}
		if err := r.into.Resync(); err != nil {
			s.failed <- err
			return
		}
	}
}

package reflector_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// errDown is an error that says nothing more.
var errDown = errors.New("down")

// decided is what an observer saw of a decision.
type decided struct {
	doing reflector.Doing
	err   error
	reflector.Decision
	delay time.Duration
}

// run is a reflector between a server, with a and b at version 3, and a store.
type run struct {
	*reflectortest.Server
	store     *reflectortest.Store
	into      cache.ReflectorStore // the store, or what wraps it
	source    cache.ListerWatcher  // the server, or what wraps it
	options   reflector.Options
	reflector *reflector.Reflector
	stop      context.CancelFunc
	ended     chan struct{} // closed when the reflector has returned

	mu      sync.Mutex
	decided []decided
	heard   []error // by the error handler
}

// bubble has a test in virtual time, with a reflector that has not begun.
func bubble(t *testing.T, test func(t *testing.T, r *run)) {
	t.Helper()
	testkit.Bubble(t, func(t *testing.T) {
		r := &run{Server: reflectortest.NewServer("a", "b"), store: &reflectortest.Store{}}
		r.into, r.source = r.store, r.Server
		defer func() {
			if r.stop != nil {
				r.stop()
				<-r.ended
			}
		}()
		test(t, r)
	})
}

// build makes the reflector.
func (r *run) build() *reflector.Reflector {
	r.options.Observer.Decision = func(doing reflector.Doing, err error, d reflector.Decision, delay time.Duration) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.decided = append(r.decided, decided{doing, err, d, delay})
	}
	if r.options.WatchErrorHandler == nil {
		r.options.WatchErrorHandler = func(_ context.Context, _ *cache.Reflector, err error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.heard = append(r.heard, err)
		}
	}
	return reflector.New(r.source, &corev1.ConfigMap{}, r.into, r.options)
}

// begin starts the reflector, and returns when it waits.
func (r *run) begin(t *testing.T) {
	t.Helper()
	r.reflector = r.build()
	ctx, cancel := context.WithCancel(t.Context())
	r.stop, r.ended = cancel, make(chan struct{})
	go func() {
		defer close(r.ended)
		r.reflector.RunWithContext(ctx)
	}()
	synctest.Wait()
}

// told are the errors that the error handler was given so far.
func (r *run) told() []error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.heard)
}

// delays are those of the decisions so far that are not at once.
func (r *run) delays() []time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []time.Duration
	for _, d := range r.decided {
		if d.Wait {
			list = append(list, d.delay)
		}
	}
	return list
}

// later lets time pass.
func later(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// internalError is the answer 500.
func internalError() *apierrors.StatusError { return apierrors.NewInternalError(errDown) }

// beyond is the answer of a server that has not reached a version yet.
func beyond() *apierrors.StatusError {
	err := apierrors.NewTimeoutError("Too large resource version: 8, current: 5", 1)
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeResourceVersionTooLarge}}
	return err
}

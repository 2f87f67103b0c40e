package worker_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/exercises/3-worker"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// What Reconcile can return.
var (
	configMaps = schema.GroupResource{Resource: "configmaps"}
	errBroken  = errors.New("the server is on fire")
	errOld     = apierrors.NewConflict(configMaps, "a", errors.New("the object has been modified; please apply your changes "+
		"to the latest version and try again"))
	errOther = apierrors.NewConflict(configMaps, "a", errors.New("the UID in the precondition (1) does not match the UID in record (2). "+
		"The object might have been deleted and then recreated"))
	errGone    = apierrors.NewNotFound(configMaps, "a")
	errThere   = apierrors.NewAlreadyExists(configMaps, "a")
	errInvalid = apierrors.NewInvalid(schema.GroupKind{Kind: "ConfigMap"}, "a", nil)
	errQuoted  = errors.New("a webhook says: please apply your changes to the latest version and try again")
)

// scene is Work in a bubble, with client-go's queue. A key that fails waits for a second, then two, then four.
type scene struct {
	t      *testing.T
	began  time.Time
	queue  *ledger
	synced []*checker
	cancel context.CancelCauseFunc
	// telling is how long Report takes. It is set before the first key is added.
	telling time.Duration
	result  chan error // of Run

	mu      sync.Mutex
	plan    map[string][]any // what Reconcile does with a key: an error, a time that it takes, a panic; then nothing
	runs    []string         // as in "a at 1s"
	reports []string         // as in "a: text"
	errs    []error          // that were reported
	busy    int
	most    int // that were busy at one time
	ended   int // Reconciles that began when ctx had ended
	cut     int // Reconciles whose ctx ended while they ran
}

// panics is a plan for Reconcile to panic.
type panics string

// play runs Work in virtual time. The story reports, and does not end the test; then ctx ends.
func play(t *testing.T, workers int, plan map[string][]any, story func(*scene), synced ...string) {
	t.Helper()
	exercise.Bubble(t, func(t *testing.T) {
		limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[Key](time.Second, time.Hour)
		s := &scene{t: t, began: time.Now(), plan: plan, result: make(chan error, 1), queue: &ledger{
			TypedRateLimitingInterface: workqueue.NewTypedRateLimitingQueue(limiter), with: map[string]int{}}}
		w := Work{Workers: workers, Queue: s.queue, Reconcile: s.reconcile, Report: s.report}
		for _, name := range synced {
			c := &checker{name, make(chan struct{})}
			s.synced = append(s.synced, c)
			w.Synced = append(w.Synced, c)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		s.cancel = cancel
		go func() { s.result <- w.Run(ctx) }()
		story(s)
		cancel(errors.New("the story is over"))
		time.Sleep(100 * time.Hour)
		s.queue.ShutDown()
		s.balance()
	})
	if t.Failed() {
		t.FailNow()
	}
}

// checker is a cache that is filled when its channel is closed.
type checker struct {
	name string
	done chan struct{}
}

// Name implements cache.DoneChecker.
func (c *checker) Name() string { return c.name }

// Done implements cache.DoneChecker.
func (c *checker) Done() <-chan struct{} { return c.done }

var _ cache.DoneChecker = (*checker)(nil)

// ledger is a queue that notes what becomes of keys.
type ledger struct {
	workqueue.TypedRateLimitingInterface[Key]
	mu     sync.Mutex
	with   map[string]int // Gets without Done
	early  []string       // keys that were Done while they were reconciled
	twice  []string       // keys that were Done without a Get
	late   []string       // keys of which the queue was told something after Done
	inside map[string]bool

	handing  func()        // is called before Get returns a key
	stopping time.Duration // the first ShutDown takes so long
	stops    int           // ShutDowns that have begun
	open     int           // ShutDowns that have not returned
}

// Get implements workqueue.TypedInterface.
func (l *ledger) Get() (Key, bool) {
	k, shutdown := l.TypedRateLimitingInterface.Get()
	if !shutdown {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.with[k.Name]++
		if l.handing != nil {
			l.handing()
		}
	}
	return k, shutdown
}

// Forget implements workqueue.TypedRateLimitingInterface.
func (l *ledger) Forget(k Key) {
	l.told(k)
	l.TypedRateLimitingInterface.Forget(k)
}

// AddRateLimited implements workqueue.TypedRateLimitingInterface.
func (l *ledger) AddRateLimited(k Key) {
	l.told(k)
	l.TypedRateLimitingInterface.AddRateLimited(k)
}

func (l *ledger) told(k Key) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.with[k.Name] < 1 {
		l.late = append(l.late, k.Name)
	}
}

// ShutDown implements workqueue.TypedInterface.
func (l *ledger) ShutDown() {
	l.mu.Lock()
	l.stops++
	l.open++
	takes := l.stopping
	if l.stops > 1 {
		takes = 0
	}
	l.mu.Unlock()
	l.TypedRateLimitingInterface.ShutDown()
	time.Sleep(takes)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open--
}

// Done implements workqueue.TypedInterface.
func (l *ledger) Done(k Key) {
	l.mu.Lock()
	if l.inside[k.Name] {
		l.early = append(l.early, k.Name)
	}
	if l.with[k.Name]--; l.with[k.Name] < 0 {
		l.twice = append(l.twice, k.Name)
	}
	l.mu.Unlock()
	l.TypedRateLimitingInterface.Done(k)
}

func (l *ledger) enter(name string, in bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inside == nil {
		l.inside = map[string]bool{}
	}
	if in && l.with[name] < 1 {
		l.early = append(l.early, name)
	}
	l.inside[name] = in
}

// out is how often a key was handed out and is not done.
func (l *ledger) out(name string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.with[name]
}

// add adds keys, and lets what follows from it happen.
func (s *scene) add(names ...string) {
	for _, name := range names {
		s.queue.Add(Key{Name: name})
	}
	synctest.Wait()
}

// reconcile does what the plan says.
func (s *scene) reconcile(ctx context.Context, key Key) error {
	s.queue.enter(key.Name, true)
	s.mu.Lock()
	s.runs = append(s.runs, fmt.Sprintf("%s at %v", key.Name, time.Since(s.began)))
	s.busy++
	s.most = max(s.most, s.busy)
	if ctx.Err() != nil {
		s.ended++
	}
	var next any
	if plan := s.plan[key.Name]; len(plan) > 0 {
		next, s.plan[key.Name] = plan[0], plan[1:]
	}
	s.mu.Unlock()
	defer func() {
		s.queue.enter(key.Name, false)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.busy--
	}()
	switch next := next.(type) {
	case error:
		return next
	case panics:
		panic(string(next))
	case time.Duration:
		time.Sleep(next)
		s.mu.Lock()
		defer s.mu.Unlock()
		if ctx.Err() != nil {
			s.cut++
		}
	}
	return nil
}

func (s *scene) report(key Key, err error) {
	time.Sleep(s.telling)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reports = append(s.reports, fmt.Sprintf("%s: %v", key.Name, err))
	s.errs = append(s.errs, err)
}

// ran are the runs of a key so far, or of all keys if it is "", in the order of their names.
func (s *scene) ran(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var those []string
	for _, run := range s.runs {
		if name == "" || strings.HasPrefix(run, name+" ") {
			those = append(those, run)
		}
	}
	if name == "" {
		slices.Sort(those)
	}
	if len(those) > 12 {
		those = append(those[:12], fmt.Sprintf("and %d more", len(those)-12))
	}
	return orNone(strings.Join(those, ", "))
}

// counts are how many were busy at one time, how many Reconciles began when ctx had ended, and of how many it ended.
func (s *scene) counts() (most, ended, cut int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most, s.ended, s.cut
}

func (s *scene) reported() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return orNone(strings.Join(s.reports, "; "))
}

func (s *scene) reportedErrors() []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.errs)
}

const none = "none"

func orNone(text string) string {
	if text == "" {
		return none
	}
	return text
}

// returned says what Run has returned by now.
func (s *scene) returned() (err error, ok bool) {
	synctest.Wait()
	select {
	case err = <-s.result:
		s.result <- err
		return err, true
	default:
		return nil, false
	}
}

// expect reports a verdict unless it is so.
func (s *scene) expect(so bool, expected, happened, belief string) {
	s.t.Helper()
	if !so && !s.t.Failed() {
		exercise.Report(s.t, exercise.Verdict{Expected: expected, Happened: happened, PointsTo: belief})
	}
}

// balance looks at what every story has in common.
func (s *scene) balance() {
	s.t.Helper()
	s.queue.mu.Lock()
	defer s.queue.mu.Unlock()
	s.expect(len(s.queue.early) == 0, "Done is called when Reconcile has returned",
		fmt.Sprintf("it was called before, or while %v was reconciled", s.queue.early),
		"the belief that a key that was taken is done. Until Done the queue keeps it from other workers")
	s.expect(len(s.queue.twice) == 0, "Done is called once for each key that the queue hands out",
		fmt.Sprintf("it was called again for %v", s.queue.twice), "")
	s.expect(len(s.queue.late) == 0, "Done is called when the queue has been told what came of the key",
		fmt.Sprintf("the queue was told after Done of %v", s.queue.late), "the belief that a worker still has a key after Done. "+
			"Another one may have it by then, and be quicker")
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		s.expect(s.queue.with[name] <= 0, "Done is called once for each key that the queue hands out",
			fmt.Sprintf("%s was handed out, and is not done when all is over", name), "")
	}
}

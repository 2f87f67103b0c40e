package result_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/exercises/1-result"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// scene is a Reconciler under controller-runtime's controller, with its own queue, in a bubble. A key that fails waits
// for a second, then two, then four. The world is the namespace web.
type scene struct {
	t     *testing.T
	began time.Time
	queue workqueue.TypedRateLimitingInterface[reconcile.Request]
	end   context.CancelFunc
	yours Reconciler

	mu      sync.Mutex
	world   map[string]*corev1.ConfigMap // by name
	before  map[string]*corev1.ConfigMap // what they were
	told    string                       // the world, as text
	plan    map[string][]any             // what is answered to "keeper a", "delete a", "read a": see answer
	runs    []run
	asked   []string      // as in "a at 1h0m0s"
	deletes []string      // as in "a at 1h0m0s if uid=u1 version=1"
	cut     int           // calls whose ctx ended while they ran
	spent   time.Duration // what Reader, Writer and Keeper took
}

// A run is one call of Reconcile.
type run struct {
	name   string
	at     time.Duration
	result reconcile.Result
	err    error
	panics bool
	took   time.Duration // without what Reader, Writer and Keeper took, if there is one worker
}

// play runs a controller in virtual time in a world like "a until=1h; b until=-1h after=a". The story reports, and does
// not end the test.
func play(t *testing.T, world string, plan map[string][]any, story func(*scene)) {
	t.Helper()
	playWith(t, 1, world, plan, story)
}

func playWith(t *testing.T, workers int, world string, plan map[string][]any, story func(*scene)) {
	t.Helper()
	exercise.Bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		s := &scene{t: t, began: time.Now(), end: cancel, plan: maps.Clone(plan)}
		s.yours = Reconciler{Reader: s, Writer: s, Keeper: s}
		s.hold(world)
		c, err := controller.NewTypedUnmanaged("sweeper", controller.Options{
			SkipNameValidation: new(true), MaxConcurrentReconciles: workers, Reconciler: reconcile.Func(s.reconcile),
			RateLimiter: workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](time.Second,
				time.Hour),
			LogConstructor: func(*reconcile.Request) logr.Logger { return logr.Discard() },
			// One with a name has metrics, and looks at the clock twice a second, for hours.
			NewQueue: func(_ string, limiter workqueue.TypedRateLimiter[reconcile.Request],
			) workqueue.TypedRateLimitingInterface[reconcile.Request] {
				return workqueue.NewTypedRateLimitingQueue(limiter)
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		_ = c.Watch(source.Func(func(_ context.Context,
			q workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
			s.queue = q
			return nil
		}))
		var controllers sync.WaitGroup
		controllers.Go(func() { _ = c.Start(ctx) })
		synctest.Wait()
		story(s)
		cancel()
		controllers.Wait()
		s.balance()
	})
	if t.Failed() {
		t.FailNow()
	}
}

// hold has the world be this from now on. until=1h is a moment an hour after the beginning, until:TEXT what the
// annotation says. A ConfigMap has the UID u1 and the resourceVersion 1 if they are not told.
func (s *scene) hold(world string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.compare()
	s.told, s.world, s.before = world, map[string]*corev1.ConfigMap{}, map[string]*corev1.ConfigMap{}
	for _, text := range strings.Split(world, "; ") {
		if text != nothing {
			o := s.object(text)
			s.world[o.Name], s.before[o.Name] = o, o.DeepCopy()
		}
	}
}

func (s *scene) object(text string) *corev1.ConfigMap {
	words := strings.Fields(text)
	o := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "web", Name: words[0], UID: "u1",
		ResourceVersion: "1"}}
	mark := func(key, value string) {
		if o.Annotations == nil {
			o.Annotations = map[string]string{}
		}
		o.Annotations[key] = value
	}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		raw, isRaw := strings.CutPrefix(word, "until:")
		switch {
		case isRaw:
			mark(Until, strings.ReplaceAll(raw, "_", " "))
		case name == "until":
			d, err := time.ParseDuration(value)
			if err != nil {
				panic(err)
			}
			mark(Until, s.began.Add(d).UTC().Format(time.RFC3339Nano))
		case name == "after":
			mark(After, value)
		case name == "uid":
			o.UID = types.UID(value)
		case name == "version":
			o.ResourceVersion = value
		case name == "note":
			mark("example.com/note", value)
		case name == "in":
			o.Namespace = value
		case name == "deleting":
			o.DeletionTimestamp, o.Finalizers = &metav1.Time{Time: s.began}, []string{"example.com/hold"}
		}
	}
	return o
}

// changes has the world be this from now on, of which a watch tells.
func (s *scene) changes(world string, names ...string) {
	s.hold(world)
	s.add(names...)
}

// wait lets time pass, and what follows from that happen.
func wait(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// add brings keys, and lets what follows from it happen.
func (s *scene) add(names ...string) {
	for _, name := range names {
		s.queue.Add(reconcile.Request{NamespacedName: Key{Namespace: "web", Name: name}})
	}
	synctest.Wait()
}

// reconcile calls the learner's, and writes down what it returns.
func (s *scene) reconcile(ctx context.Context, request reconcile.Request) (result reconcile.Result, err error) {
	s.mu.Lock()
	r, began, spent := run{name: request.Name, at: time.Since(s.began)}, time.Now(), s.spent
	s.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err, r.panics = fmt.Errorf("a panic: %v", p), true
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		r.result, r.err, r.took = result, err, time.Since(began)-(s.spent-spent)
		s.runs = append(s.runs, r)
	}()
	return s.yours.Reconcile(ctx, request)
}

// The scene is what a Reconciler has.
var (
	_ Reader = (*scene)(nil)
	_ Writer = (*scene)(nil)
	_ Keeper = (*scene)(nil)
)

var configMaps = corev1.Resource("configmaps")

// answer is what the plan has next: an error, a bool, or a time that it takes, after which the next one follows.
func (s *scene) answer(ctx context.Context, question string) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		left := s.plan[question]
		if len(left) == 0 {
			return nil
		}
		s.plan[question] = left[1:]
		takes, ok := left[0].(time.Duration)
		if !ok {
			return left[0]
		}
		s.mu.Unlock()
		began := time.Now()
		select {
		case <-time.After(takes):
		case <-ctx.Done():
		}
		s.mu.Lock()
		s.spent += time.Since(began)
		if ctx.Err() != nil {
			s.cut++
			return ctx.Err()
		}
	}
}

// Get implements Reader.
func (s *scene) Get(ctx context.Context, key Key) (*corev1.ConfigMap, error) {
	if err, ok := s.answer(ctx, "read "+key.Name).(error); ok {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.world[key.Name]; o != nil && o.Namespace == key.Namespace {
		return o, nil
	}
	return nil, apierrors.NewNotFound(configMaps, key.Name)
}

// Needs implements Keeper.
func (s *scene) Needs(ctx context.Context, key Key) (bool, error) {
	s.mu.Lock()
	s.asked = append(s.asked, fmt.Sprintf("%s at %v", key.Name, time.Since(s.began)))
	s.mu.Unlock()
	switch answer := s.answer(ctx, "keeper "+key.Name).(type) {
	case error:
		return false, answer
	case bool:
		return answer, nil
	}
	return false, nil
}

// Delete implements Writer. What it has deleted is still in the cache.
func (s *scene) Delete(ctx context.Context, key Key, p metav1.Preconditions) error {
	text := fmt.Sprintf("%s at %v", key.Name, time.Since(s.began))
	if p.UID != nil {
		text += " if uid=" + string(*p.UID)
	}
	if p.ResourceVersion != nil {
		text += " version=" + *p.ResourceVersion
	}
	s.mu.Lock()
	s.deletes = append(s.deletes, text)
	s.mu.Unlock()
	err, _ := s.answer(ctx, "delete "+key.Name).(error)
	return err
}

const (
	nothing = "nothing"
	none    = "none"
)

// ran are the runs of a key so far, as in "a at 0s, a at 1s".
func (s *scene) ran(name string) string {
	var texts []string
	for _, r := range s.runsOf(name) {
		texts = append(texts, fmt.Sprintf("%s at %v", r.name, r.at))
	}
	return short(texts)
}

func (s *scene) runsOf(name string) (those []run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		if r.name == name {
			those = append(those, r)
		}
	}
	return those
}

// deleted are the deletions so far, without preconditions.
func (s *scene) deleted() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var texts []string
	for _, d := range s.deletes {
		text, _, _ := strings.Cut(d, " if ")
		texts = append(texts, text)
	}
	return short(texts)
}

func short(texts []string) string {
	if len(texts) > 8 {
		texts = append(slices.Clone(texts[:8]), fmt.Sprintf("and %d more", len(texts)-8))
	}
	if len(texts) == 0 {
		return none
	}
	return strings.Join(texts, ", ")
}

// returned is what the runs of a key have returned. The same error in a row is told once.
func (s *scene) returned(name string) string {
	texts := s.returnedEach(name)
	var told []string
	for i := 0; i < len(texts); {
		n := 1
		for strings.HasPrefix(texts[i], "the error") && i+n < len(texts) && texts[i+n] == texts[i] {
			n++
		}
		told = append(told, texts[i]+map[bool]string{true: fmt.Sprintf(", %d times", n)}[n > 1])
		i += n
	}
	return short(told)
}

func (s *scene) returnedEach(name string) (texts []string) {
	for _, r := range s.runsOf(name) {
		switch {
		case r.panics, r.err == nil && r.result.IsZero():
			texts = append(texts, map[bool]string{true: fmt.Sprint(r.err), false: "nothing"}[r.panics])
		case r.err != nil:
			texts = append(texts, fmt.Sprintf("the error %q", r.err))
		case r.result.RequeueAfter != 0:
			texts = append(texts, fmt.Sprintf("RequeueAfter %v", r.result.RequeueAfter))
		default:
			texts = append(texts, "Requeue")
		}
	}
	return texts
}

// expect reports a verdict unless it is so.
func (s *scene) expect(so bool, expected, happened, belief string) {
	s.t.Helper()
	if !so && !s.t.Failed() {
		exercise.Report(s.t, exercise.Verdict{Expected: s.told + ": " + expected, Happened: happened, PointsTo: belief})
	}
}

// expectRuns expects when a key was looked at. belief may be nil.
func (s *scene) expectRuns(name, want, because string, belief func(runs []run) string) {
	s.t.Helper()
	got, about := s.ran(name), ""
	if got != want && belief != nil {
		about = belief(s.runsOf(name))
	}
	s.expect(got == want, fmt.Sprintf("%s: the runs are %s", because, want),
		fmt.Sprintf("they were %s. Returned was: %s", got, s.returned(name)), about)
}

// expectNoErrors expects that no run of a key has returned an error.
func (s *scene) expectNoErrors(name, because string) {
	s.t.Helper()
	s.expect(!slices.ContainsFunc(s.runsOf(name), func(r run) bool { return r.err != nil }),
		because+": no error is returned", "returned was: "+s.returned(name), "")
}

// Beliefs that more than one observation points to.
const (
	beside = "the belief that the controller looks at a Result that has an error beside it. It has the limiter say " +
		"when " +
		"the key comes again, and the Result is lost"
	keepsWorker = "the belief that a run may wait until it is time. A worker that waits is one that other keys do " +
		"not get"
)

// balance looks at what every story has in common.
func (s *scene) balance() {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		s.expect(!r.panics, "no run panics", fmt.Sprintf("that of %s at %v: %v", r.name, r.at, r.err), "")
		s.expect(r.err == nil || r.result.IsZero(), "with an error, the Result is zero",
			fmt.Sprintf("the run of %s at %v has returned %+v and the error %q", r.name, r.at, r.result, r.err),
			map[bool]string{true: beside}[r.result.RequeueAfter > 0])
		s.expect(r.took == 0, "a run waits for nothing but Reader, Writer and Keeper",
			fmt.Sprintf("that of %s at %v took %v besides", r.name, r.at, r.took),
			keepsWorker)
	}
	s.compare()
}

// compare sees to it that what the Reader has returned is what it was.
func (s *scene) compare() {
	for name, o := range s.world {
		s.expect(equality.Semantic.DeepEqual(o, s.before[name]), "nothing that the Reader returns is changed",
			name+" was changed", "the belief that what was read is the reader's own. It is the cache's, and all who "+
				"read "+
				"have the same one")
	}
}

// isTerminal is how the controller knows an error that does not bring the key again.
func isTerminal(err error) bool { return errors.Is(err, reconcile.TerminalError(nil)) }

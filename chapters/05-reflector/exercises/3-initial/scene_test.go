package initial_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/exercises/3-initial"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

var errStop, errCollection = errors.New("told to stop"), errors.New("the collection can't")

// patience is how long Read may still wait when its watch has nothing more to say.
const patience = 10 * 24 * time.Hour

// restlessness is how often Read may wake for nothing until the play is called off.
const restlessness = 10

// run is one call of Read, with a watch that plays a script, and what was seen of it. It is the collection, too.
type run struct {
	script []step
	cancel context.CancelCauseFunc

	mu     sync.Mutex
	taken  int       // events that were taken from the watch
	calls  []string  // calls of the collection that have returned
	called time.Time // when the last of them did
	moment time.Time // when what Read ends with came to pass
	stops  int
	ahead  bool // an event was taken before the collection had taken in the object of the one before

	stirred  time.Time     // when something last happened that Read may wake for
	wakes    int           // looks at ctx or at the watch when nothing had
	restless chan struct{} // closed when there are too many

	version    string
	err        error
	returned   bool // by itself
	returnedAt time.Time
	stopsThen  int // stops, when it returned
}

// play runs Read in a bubble. After the script, the watch has nothing to say, and its channel stays open.
func play(t *testing.T, script ...step) *run {
	t.Helper()
	x := &run{script: script}
	exercise.Bubble(t, func(t *testing.T) {
		ended, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		ctx := &looks{Context: ended, run: x}
		x.cancel, x.restless = cancel, make(chan struct{})
		w := &stream{run: x, channel: make(chan watch.Event)}
		over, sent, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
		go func() { defer close(sent); x.send(w, over) }()
		synctest.Wait() // what comes first is there when Read begins
		x.stirs()
		go func() { defer close(done); x.read(ctx, w) }()
		select {
		case <-done:
			x.returned = true
			synctest.Wait() // a goroutine that it has left takes what it can
		case <-time.After(patience):
		case <-x.restless:
		}
		x.stirs()
		cancel(nil)
		close(over)
		<-sent
		<-done
	})
	return x
}

func (x *run) read(ctx context.Context, w watch.Interface) {
	version, err := Read(ctx, w, x)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.version, x.err, x.returnedAt, x.stopsThen = version, err, time.Now(), x.stops
}

// send plays the script until it is over or somebody says so. It cares for no Stop: a watch may go on for a while.
func (x *run) send(w *stream, over <-chan struct{}) {
	closed := false
	for _, s := range x.script {
		if s.does != paused {
			x.stirs()
		}
		switch s.does {
		case paused:
			select {
			case <-time.After(s.pause):
			case <-over:
			}
		case cancelled:
			x.decided()
			x.cancel(errStop)
		case closes:
			x.decided()
			closed = true
			close(w.channel)
		case offered:
			select {
			case w.channel <- *s.event:
				x.took(s)
			case <-over:
			}
		}
	}
	if <-over; !closed {
		close(w.channel)
	}
}

// decided notes the first moment of which the end of Read is due.
func (x *run) decided() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.moment.IsZero() {
		x.moment = time.Now()
	}
}

// stirs notes that something happens that Read may wake for.
func (x *run) stirs() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.stirred = time.Now()
}

// looked notes a look at ctx or at the watch. Time is virtual: one at a moment at which nothing happened
// shows that something else woke Read.
func (x *run) looked() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if time.Now().Equal(x.stirred) || !x.returnedAt.IsZero() {
		return
	}
	if x.wakes++; x.wakes == restlessness {
		close(x.restless)
	}
}

// looks is a context that notes who looks at it.
type looks struct {
	context.Context
	run *run
}

func (c *looks) Done() <-chan struct{} { c.run.looked(); return c.Context.Done() }
func (c *looks) Err() error            { c.run.looked(); return c.Context.Err() }

// took notes that an event was taken.
func (x *run) took(s step) {
	if s.isEnd() || s.event.Type == watch.Error {
		x.decided()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.taken++
}

// stream is the watch.
type stream struct {
	run     *run
	channel chan watch.Event
}

func (w *stream) ResultChan() <-chan watch.Event { w.run.looked(); return w.channel }

func (w *stream) Stop() {
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	w.run.stops++
}

func (x *run) Add(object any) error    { return x.call("Add", object) }
func (x *run) Update(object any) error { return x.call("Update", object) }
func (x *run) Delete(object any) error { return x.call("Delete", object) }

// call takes a second, in which the next event is ready to be taken.
func (x *run) call(method string, object any) error {
	time.Sleep(time.Second)
	x.stirs()
	s, nth := x.stepOf(object)
	if s.cancels {
		x.decided()
		x.cancel(errStop)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.called = time.Now()
	if nth == 0 {
		x.calls = append(x.calls, method+" of what no event has")
		return nil
	}
	x.ahead = x.ahead || x.taken > nth
	x.calls = append(x.calls, method+" "+nameOf(object))
	if s.fails {
		return errCollection
	}
	return nil
}

// stepOf finds the event that an object came with, counted from 1.
func (x *run) stepOf(object any) (found step, nth int) {
	for _, s := range x.script {
		if s.event == nil {
			continue
		}
		if nth++; any(s.event.Object) == object {
			return s, nth
		}
	}
	return step{}, 0
}

// due is when Read returns: what it ends with may come to pass during a call of the collection.
func (x *run) due() time.Time {
	if x.called.After(x.moment) {
		return x.called
	}
	return x.moment
}

func nameOf(object any) string {
	if m, ok := object.(metav1.Object); ok && m.GetName() != "" {
		return m.GetName()
	}
	return "an object without a name"
}

// What a step of a script does.
const (
	offered   = "offers an event" // until it is taken
	paused    = "says nothing"
	closes    = "closes its channel"
	cancelled = "goes on while ctx ends"
)

// step is one thing that happens.
type step struct {
	does    string
	event   *watch.Event
	pause   time.Duration
	cancels bool // ctx ends while the collection takes in the object
	fails   bool // the collection returns an error for it
}

func offer(kind watch.EventType, name, version string, annotations map[string]string) step {
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Name: name, ResourceVersion: version, Annotations: annotations}}
	return step{does: offered, event: &watch.Event{Type: kind, Object: object}}
}

func added(name, version string) step    { return offer(watch.Added, name, version, nil) }
func modified(name, version string) step { return offer(watch.Modified, name, version, nil) }
func deleted(name, version string) step  { return offer(watch.Deleted, name, version, nil) }

// bookmark has annotations, given as key and value in turn.
func bookmark(version string, annotations ...string) step {
	all := map[string]string{}
	for i := 0; i < len(annotations); i += 2 {
		all[annotations[i]] = annotations[i+1]
	}
	return offer(watch.Bookmark, "", version, all)
}

func end(version string) step { return bookmark(version, EndAnnotation, "true") }

func failure(code int32, reason metav1.StatusReason) step {
	return step{does: offered, event: &watch.Event{Type: watch.Error, Object: &metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason, Message: "no more of this",
		Details: &metav1.StatusDetails{RetryAfterSeconds: 7}}}}
}

func pause(d time.Duration) step { return step{does: paused, pause: d} }

var closed, ctxEnds = step{does: closes}, step{does: cancelled}

// isEnd tells the event that ends the initial state.
func (s step) isEnd() bool {
	if s.event == nil || s.event.Type != watch.Bookmark {
		return false
	}
	return s.event.Object.(metav1.Object).GetAnnotations()[EndAnnotation] == "true"
}

// String tells it as a verdict does.
func (s step) String() string {
	switch s.does {
	case paused:
		return fmt.Sprintf("a pause of %v", s.pause)
	case closes:
		return "the channel is closed"
	case cancelled:
		return "ctx ends"
	}
	object, ok := s.event.Object.(*corev1.ConfigMap)
	if !ok {
		return fmt.Sprintf("ERROR with %T", s.event.Object)
	}
	text := fmt.Sprintf("%s %s at %s", s.event.Type, object.Name, object.ResourceVersion)
	if s.event.Type == watch.Bookmark {
		text = fmt.Sprintf("BOOKMARK at %s", object.ResourceVersion)
	}
	if value, ok := object.Annotations[EndAnnotation]; ok {
		text += fmt.Sprintf(" (with EndAnnotation %q)", value)
	}
	if s.cancels {
		text += " (ctx ends while the collection takes it in)"
	}
	if s.fails {
		text += " (the collection returns an error)"
	}
	return text
}

func story(script []step) string {
	var all []string
	for _, s := range script {
		all = append(all, s.String())
	}
	return strings.Join(all, ", ")
}

// outcome is what Read does with a script by its assignment.
type outcome struct {
	calls   []string
	taken   int    // events
	version string // when it is the end
	why     step   // what Read ends with
}

var methods = map[watch.EventType]string{watch.Added: "Add", watch.Modified: "Update", watch.Deleted: "Delete"}

func expected(script []step) (o outcome) {
	for _, s := range script {
		o.why = s
		switch {
		case s.does == paused:
			continue
		case s.does != offered:
			return o
		}
		o.taken++
		method, isObject := methods[s.event.Type]
		switch {
		case s.event.Type == watch.Error:
			return o
		case s.isEnd():
			o.version = s.event.Object.(metav1.Object).GetResourceVersion()
			return o
		case isObject:
			o.calls = append(o.calls, method+" "+nameOf(s.event.Object))
		}
		if s.cancels {
			o.why = ctxEnds
			return o
		}
	}
	panic("a script needs an end: " + story(script))
}

// clues tells which belief a finding points to.
type clues map[string]string

// Findings that a belief may stand behind, and the version that was returned for the right one.
const (
	waits       = "waits"        // Read does not return
	early       = "early"        // it returned no error before anything was at its end
	noError     = "no error"     // where one was due
	stopped     = "stopped"      // a watch that is the caller's now
	takenMore   = "taken more"   // events of the caller's
	drained     = "drained"      // an event was taken after Read had returned an error
	otherCalls  = "other calls"  // than the events tell of
	notStopped  = "not stopped"  // a watch that is nobody's
	otherReason = "other reason" // an error, and another than was due
)

func versionIs(version string) string { return "version " + version }

// check fails unless ok: something was due, and something else happened.
type check func(ok bool, finding, due, happened string, args ...any)

// judge compares what was seen with the assignment.
func (x *run) judge(t *testing.T, about clues) {
	t.Helper()
	want, script := expected(x.script), story(x.script)
	var check check = func(ok bool, finding, due, happened string, args ...any) {
		t.Helper()
		exercise.Expect(t, ok, exercise.Verdict{
			Expected: fmt.Sprintf("the watch says: %s. %s", script, due),
			Happened: fmt.Sprintf(happened, args...),
			PointsTo: about[finding],
		})
	}
	due := "Read returns an error"
	if want.version != "" {
		due = fmt.Sprintf("Read returns version %s and no error", want.version)
	}
	due += " at the moment of: " + want.why.String()
	if x.returned && (x.moment.IsZero() || x.returnedAt.Before(x.moment)) {
		finding := versionIs(x.version)
		if about[finding] == "" {
			finding = early
		}
		check(false, or(x.err == nil, finding, ""), due, "before that it returned version %q and the error %v, "+
			"with %d events taken", x.version, x.err, x.taken)
	}
	check(x.wakes == 0, "", "During a pause, Read waits for what comes, and wakes for nothing else",
		"it looked at ctx or at the watch when nothing had come (%d times%s)", x.wakes, or(x.wakes < restlessness, "",
			", then the play was called off"))
	check(x.returned, waits, due, "it had not returned %v after it was called", patience)
	late := x.returnedAt.Sub(x.due())
	check(late < time.Second, "", due, "it returned %v later", late)
	calls := fmt.Sprintf("The calls of the collection are [%s]", strings.Join(want.calls, ", "))
	check(slices.Equal(x.calls, want.calls), otherCalls, calls, "they were [%s]", strings.Join(x.calls, ", "))
	if want.version != "" {
		x.judgeEnd(want, due, check)
	} else {
		x.judgeError(want, due, check)
	}
	check(!x.ahead, "", "Each object is in the collection before the next event is taken",
		"the next event was taken before a call of the collection had returned")
}

// judgeError is about a watch that is over.
func (x *run) judgeError(want outcome, due string, check check) {
	check(x.err != nil, noError, due, "it returned version %q and no error", x.version)
	reason, ok := x.rightReason(want.why)
	check(ok, otherReason, fmt.Sprintf("Read's error is, or wraps: %v", reason), "it was: %v (%[1]T)", x.err)
	check(x.stopsThen > 0, notStopped, "When Read returns its error, the watch is stopped", "Stop was not called")
	check(x.taken <= want.taken+2, drained, "When Read has returned, it takes nothing from the watch",
		"it ends with event %d, and %d were taken", want.taken, x.taken)
}

// judgeEnd is about a watch that goes on.
func (x *run) judgeEnd(want outcome, due string, check check) {
	check(x.err == nil && x.version == want.version, or(x.err == nil, versionIs(x.version), ""), due,
		"it returned version %q and the error %v", x.version, x.err)
	check(x.stopsThen == 0, stopped, "After that the watch is open, for the caller", "Stop was called")
	check(x.stops == 0, "", "When Read has returned, whatever it started has ended", "Stop was called after that")
	check(x.taken == want.taken, takenMore, "What follows is for the caller: Read takes "+
		fmt.Sprintf("%d events from the watch", want.taken), "%d were taken", x.taken)
}

// rightReason says which error is due for what Read ended with, and whether it was that one.
func (x *run) rightReason(why step) (due error, ok bool) {
	switch why.does {
	case closes:
		return ErrEndedEarly, errors.Is(x.err, ErrEndedEarly)
	case cancelled:
		return fmt.Errorf("%w (the cause of ctx's end)", errStop), errors.Is(x.err, errStop)
	}
	due = apierrors.FromObject(why.event.Object)
	var status, dueStatus *apierrors.StatusError
	if errors.As(due, &dueStatus) {
		return due, errors.As(x.err, &status) && reflect.DeepEqual(status.ErrStatus, dueStatus.ErrStatus)
	}
	var unexpected *apierrors.UnexpectedObjectError
	return due, errors.As(x.err, &unexpected)
}

func or(condition bool, this, that string) string {
	if condition {
		return this
	}
	return that
}

// addedLate says whether an object goes to the collection after ctx has ended, if it is taken just before. One
// processor runs all: who sends the event and ends ctx is done with both before Read goes on. Somebody may be
// interrupted between two lines all the same, Read between its question and its call, too: one round is no proof.
func addedLate(t *testing.T) (late bool) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	exercise.Bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		into := &noting{ctx: ctx}
		w := silent{channel: make(chan watch.Event)}
		done := make(chan struct{})
		go func() { defer close(done); _, _ = Read(ctx, w, into) }()
		synctest.Wait() // Read waits
		w.channel <- *added("a", "5").event
		cancel()
		<-done
		late = into.late
	})
	return late
}

// silent is a watch that may be stopped, and says what somebody sends.
type silent struct{ channel chan watch.Event }

func (w silent) ResultChan() <-chan watch.Event { return w.channel }
func (w silent) Stop()                          {}

// noting is a collection that asks ctx at each call.
type noting struct {
	ctx  context.Context
	late bool
}

func (c *noting) Add(any) error { c.late = c.late || c.ctx.Err() != nil; return nil }

func (c *noting) Update(object any) error { return c.Add(object) }
func (c *noting) Delete(object any) error { return c.Add(object) }

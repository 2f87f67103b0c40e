package kubelet

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// Label is on each Process, and says which machine runs it. The kubelet has a field for it, spec.nodeName.
const Label = "scratch.example.com/machine"

// Machine is what a Kubelet needs of a *machine.Machine.
//
// Upstream's counterpart is the CRI, k8s.io/cri-api/pkg/apis/services.go.
type Machine interface {
	Start(ctx context.Context, s machine.Spec) error
	Look(uid types.UID) (machine.Seen, error)
	List() ([]machine.Seen, error)
	Signal(r machine.Run, s syscall.Signal) error
	Wait(ctx context.Context, r machine.Run) (machine.Seen, error)
	Forget(uid types.UID) error
}

var _ Machine = (*machine.Machine)(nil)

// Options are a Kubelet's.
type Options struct {
	Name      string                             // the machine's: only objects with Label=Name are looked at
	Namespace string                             // and only in this namespace
	Starts    int                                // how many starts at once; 3 unless set
	Window    time.Duration                      // world events of an object within it are one; 100 ms unless set
	Backoff   func(restarts int32) time.Duration // before a restart; [Backoff] unless set
	Clock     clock.WithTicker                   // the real one unless set
	Observe   func(Event)                        // is told of each event at once, from any goroutine; may be nil
	Pieces    Pieces                             // instead of this package's
	Held      func(client.Object) bool           // other objects that lead to a run as ours do; none unless set
	May       func(client.Object) bool           // whether something may be started for an object; all unless set
}

// Event is something that a Kubelet has heard or done, for a demo or a test.
type Event struct {
	Kind   string // one of those below
	Object types.NamespacedName
	Run    machine.Run // unless Kind is EventRun
	Text   string      // what happened, in a few words
	Err    error       // what a run, a signal or a start failed with
}

// The kinds of events.
const (
	EventWorld  = "world"  // something has happened on the machine, and waits for a run
	EventRun    = "run"    // a run has ended
	EventSignal = "signal" // a signal was sent
	EventForget = "forget" // a folder was removed
)

// Kubelet is the controller. It is a reconciler and the source of its own world events.
type Kubelet struct {
	Options

	over       client.Client
	machine    Machine
	base       reconcile.Reconciler
	states     States
	operations Deferred
	starter    Background
	debounce   *Debounce
	channel    *routing.Channel
	watches    watches
	others     others
	ctx        context.Context // background work's, from Start to its end
}

var _ source.Source = (*Kubelet)(nil)

// New makes one that reads and writes objects over a client, and processes over a machine. It runs nothing before it is
// started, as a source.
func New(over client.Client, m Machine, o Options) *Kubelet {
	if o.Starts == 0 {
		o.Starts = 3
	}
	if o.Window == 0 {
		o.Window = 100 * time.Millisecond
	}
	if o.Backoff == nil {
		o.Backoff = Backoff
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	if o.Observe == nil {
		o.Observe = func(Event) {}
	}
	if o.Held == nil {
		o.Held = func(client.Object) bool { return false }
	}
	if o.May == nil {
		o.May = func(client.Object) bool { return true }
	}
	parts := o.Pieces.orOurs()
	k := &Kubelet{Options: o, over: over, machine: m, states: parts.States, operations: parts.Operations,
		watches: watches{runs: map[machine.Run]bool{}}}
	k.starter = parts.Starter(o.Starts, k.start)
	k.channel = routing.NewChannel(routing.Object())
	k.debounce = NewDebounce(o.Clock, o.Window, k.channel.Notify)
	k.base = writes.New(over, k.run)
	return k
}

// Backoff is the pause before a restart: a second, doubled by each restart there was, and a minute at most.
//
// Upstream's counterpart is the kubelet's crash loop back-off, 10 seconds doubled up to 5 minutes. That begins anew
// after 10 minutes without a failure; this one does not.
func Backoff(restarts int32) time.Duration {
	return time.Duration(min(math.Exp2(float64(restarts)), 60)) * time.Second
}

// Setup has a manager run the controller, or the reconciler of the options, which may stand before it. The manager
// stops when nothing goes on in the background any more.
//
// A Process leads to a run when its spec, its labels, its finalizers or its deletion change, and it is or was ours. Its
// status does not: the run itself has written it.
//
// It fails if no object can have the machine's name in its label, and nothing would ever be started. An empty name
// would be that of each object without the label.
func (k *Kubelet) Setup(m manager.Manager, name string, options controller.Options) error {
	if k.Name == "" {
		return fmt.Errorf("a machine needs a name, which the label %s of its objects has", Label)
	}
	if wrong := validation.IsValidLabelValue(k.Name); wrong != nil {
		return fmt.Errorf("give the machine another name: the label %s of its objects can't be %q, of %d characters: %s",
			Label, k.Name, len(k.Name), strings.Join(wrong, "; "))
	}
	var runs reconcile.Reconciler = k
	if options.Reconciler != nil {
		runs, options.Reconciler = options.Reconciler, nil
	}
	err := m.Add(manager.RunnableFunc(func(ctx context.Context) error {
		<-ctx.Done()
		k.Stop()
		return nil
	}))
	if err != nil {
		return err
	}
	return builder.ControllerManagedBy(m).Named(name).WithOptions(options).
		For(&v1alpha1.Process{}, builder.WithPredicates(k.Changes())).
		WatchesRawSource(k).Complete(runs)
}

// Changes lets those events pass that a run is for.
func (k *Kubelet) Changes() predicate.Predicate {
	going := predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		return e.ObjectOld.GetDeletionTimestamp() == nil != (e.ObjectNew.GetDeletionTimestamp() == nil)
	}}
	held := predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		return !slices.Equal(e.ObjectOld.GetFinalizers(), e.ObjectNew.GetFinalizers())
	}}
	minds := func(o client.Object) bool { return k.Ours(o) || k.Held(o) }
	mine := predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool { return minds(e.Object) },
		UpdateFunc: func(e event.UpdateEvent) bool { return minds(e.ObjectOld) || minds(e.ObjectNew) },
		DeleteFunc: func(e event.DeleteEvent) bool { return minds(e.Object) },
	}
	another := predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		return e.ObjectOld.GetUID() != e.ObjectNew.GetUID()
	}}
	return predicate.And(mine, predicate.Or(predicate.GenerationChangedPredicate{}, predicate.LabelChangedPredicate{},
		going, held, another))
}

// Ours says whether an object is for this machine.
func (k *Kubelet) Ours(o client.Object) bool {
	return o.GetNamespace() == k.Namespace && o.GetLabels()[Label] == k.Name
}

// Start implements source.Source: it learns from the machine what there is, before the first run, and passes on what
// happens there until ctx ends. It fails if the machine can't be read: a controller that does not know what runs would
// start it twice.
func (k *Kubelet) Start(ctx context.Context, q routing.Queue) error {
	k.ctx = ctx
	if err := k.adopt(); err != nil {
		return err
	}
	return k.channel.Start(ctx, q)
}

// Stop is called when the context of Start has ended and no run goes on. It returns when nothing goes on in the
// background: starts that have begun are waited for, and those that wait are dropped. Processes go on.
func (k *Kubelet) Stop() {
	k.starter.Stop()
	k.watches.stop()
	k.debounce.Stop()
}

// Tell says that something has happened to a run, in the world. do is applied by the next run of its object, which this
// leads to. A run that is no object's any more is of no interest.
func (k *Kubelet) Tell(run machine.Run, text string, do Operation) {
	object, ok := k.states.Owner(run)
	if !ok {
		return
	}
	k.operations.Queue(object, run, do)
	k.Observe(Event{Kind: EventWorld, Object: object, Run: run, Text: text})
	k.debounce.Event(k.ctx, object)
}

// Busy says whether, as far as the kubelet knows, a process of an object lives, or a start of it waits or goes on. The
// machine may not know of that start yet, and the kubelet not of the process's end.
func (k *Kubelet) Busy(object types.NamespacedName, uid types.UID) bool {
	s, ok := k.states.Borrow(object)
	return ok && s.Run.UID == uid && (s.Next != nil || alive(s.Seen.State))
}

// String is how a controller's log calls the source.
func (k *Kubelet) String() string { return "the machine " + k.Name }

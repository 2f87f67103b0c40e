package kubelet

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

const (
	startLimit = time.Minute     // of one start, so that a stop has an end
	killAgain  = 5 * time.Second // a process that SIGKILL has not ended waits for a disk, say
)

// Reconcile implements reconcile.Reconciler. The status is saved by chapter 12's Base.
//
// The context of a stop ends the last save too, if it comes in between. What it would have said is not lost: the run
// has learned it from the machine's folder, or has put it there, and the next controller reads the folder before its
// first run. A status that has to be saved at the last moment is one that is kept nowhere else.
func (k *Kubelet) Reconcile(ctx context.Context, request reconcile.Request) (result reconcile.Result, err error) {
	if k.ctx == nil {
		return result, errors.New("a kubelet that was not started does not know what runs")
	}
	defer func() { k.Observe(Event{Kind: EventRun, Object: request.NamespacedName, Err: err}) }()
	var p v1alpha1.Process
	if err := k.over.Get(ctx, request.NamespacedName, &p); client.IgnoreNotFound(err) != nil {
		return result, err
	}
	if k.Ours(&p) { // which an object that was not found is not
		return k.base.Reconcile(ctx, request)
	}
	_, result.RequeueAfter, err = k.leave(request.NamespacedName, "")
	return result, err
}

// run is one, for an object that Base has read and will save.
func (k *Kubelet) run(_ context.Context, p *v1alpha1.Process) (result reconcile.Result, err error) {
	key := client.ObjectKeyFromObject(p)
	if !k.Ours(p) { // since Reconcile has looked
		_, result.RequeueAfter, err = k.leave(key, "")
		return result, err
	}
	if p.DeletionTimestamp == nil && !k.May(p) { // yet: its next change leads to the next run
		return result, nil
	}
	left, wait, err := k.leave(key, p.UID)
	if !left || err != nil {
		k.describeLeaving(p)
		return reconcile.Result{RequeueAfter: wait}, err
	}
	s, before, err := k.borrow(key, p.UID)
	if err != nil {
		return result, err
	}
	k.operations.Apply(key, &s)
	begin, wait, err := k.advance(p, &s)
	err = errors.Join(err, k.keep(key, before, &s, begin))
	k.describe(p, &s)
	return reconcile.Result{RequeueAfter: wait}, err
}

// borrow returns the state of an object, and the run that it has in the map. What is not there the machine knows.
func (k *Kubelet) borrow(key types.NamespacedName, uid types.UID) (s State, before machine.Run, err error) {
	s, ok := k.states.Borrow(key)
	if ok {
		return s, s.Run, nil
	}
	seen, err := k.machine.Look(uid)
	return k.stateOf(uid, seen), machine.Run{}, err
}

// keep keeps what a run has found out and decided, whether or not its status can be saved: the map is about the
// machine, and not about the API server. What goes on in the background begins afterwards, since it asks the map whose
// it is.
func (k *Kubelet) keep(key types.NamespacedName, before machine.Run, s *State, begin bool) error {
	s.Queued = s.Queued || begin
	if err := k.states.Update(key, before, *s); err != nil {
		return err
	}
	if begin {
		k.starter.Add(*s.Next)
	}
	if s.Next == nil && alive(s.Seen.State) {
		k.watch(s.Run)
	}
	return nil
}

// leave stops and forgets what an object's name has on the machine for another UID than except, and says whether
// nothing is left. Otherwise it is to be called again, after wait or when the world says so.
func (k *Kubelet) leave(key types.NamespacedName, except types.UID) (left bool, wait time.Duration, err error) {
	for {
		s, ok := k.states.Borrow(key)
		before := s.Run
		if !ok || s.Run.UID == except {
			another, more := k.others.take(key, except)
			if !more {
				if !ok {
					k.operations.Apply(key, &s) // which drops them: they are nobody's
				}
				return true, 0, nil
			}
			seen, err := k.machine.Look(another)
			if err != nil {
				k.others.add(key, another)
				return false, 0, err
			}
			s = k.stateOf(another, seen)
		}
		k.operations.Apply(key, &s)
		ended, wait, err := k.stop(&s)
		if ended && err == nil {
			err = k.machine.Forget(s.Run.UID)
			if errors.Is(err, machine.ErrRuns) {
				ended, wait, err = false, poll, nil
			}
			k.Observe(Event{Kind: EventForget, Object: key, Run: s.Run, Err: err})
		}
		if !ended || err != nil {
			return false, wait, errors.Join(err, k.keep(key, before, &s, false))
		}
		if err := k.states.Delete(key, before); err != nil {
			return false, 0, err
		}
	}
}

// advance brings the world one step closer to what an object says. begin says that s.Next is to be started.
func (k *Kubelet) advance(p *v1alpha1.Process, s *State) (begin bool, wait time.Duration, err error) {
	spec := s.Next
	if spec == nil && s.Seen.State != machine.Nothing {
		spec = &s.Seen.Spec
	}
	switch {
	case p.DeletionTimestamp != nil:
		_, wait, err := k.stop(s)
		return false, wait, err
	case !s.Terminated.IsZero(), spec != nil && spec.Generation != p.Generation:
		// What was begun is brought to its end, also if nobody wants it any more: the process may be half gone.
		ended, wait, err := k.stop(s)
		if !ended || err != nil {
			return false, wait, err
		}
		s.next(specOf(p, s.Run, s.Seen.Spec.Restarts))
		return true, 0, nil
	case s.Next != nil && s.Queued:
		return false, 0, nil
	case s.Next != nil:
		wait := s.NotUntil.Sub(k.Clock.Now())
		return wait <= 0, max(wait, 0), nil
	}
	switch s.Seen.State {
	case machine.Nothing:
		s.next(specOf(p, s.Run, s.Seen.Spec.Restarts))
		return true, 0, nil
	case machine.Starting: // the last controller began it; who begins it again waits for it
		s.next(s.Seen.Spec)
		return true, 0, nil
	case machine.Running:
		return false, 0, nil
	default:
		begin, wait := k.again(p, s)
		return begin, wait, nil
	}
}

// next makes a spec the one that is to be started.
func (s *State) next(spec machine.Spec) {
	switch s.Seen.State {
	case machine.Ended:
		s.Before = s.Seen.Exit
	case machine.Lost:
		s.Before = &machine.Exit{}
	}
	s.Next, s.Run = &spec, spec.Run
	s.Failure, s.Failures, s.NotUntil = "", 0, time.Time{}
	s.Terminated, s.Killed, s.LearnedAt = time.Time{}, time.Time{}, time.Time{}
}

// specOf is what an object wants to run, after a run that was the last.
func specOf(p *v1alpha1.Process, last machine.Run, restarts int32) machine.Spec {
	spec := machine.Spec{Run: machine.Run{UID: p.UID, Attempt: last.Attempt + 1}, Object: client.ObjectKeyFromObject(p),
		Generation: p.Generation, Restarts: restarts, Command: p.Spec.Command, Args: p.Spec.Args,
		Grace: time.Duration(ptr.Deref(p.Spec.GracePeriodSeconds, 10)) * time.Second}
	for _, v := range p.Spec.Env {
		spec.Env = append(spec.Env, v.Name+"="+v.Value)
	}
	return spec
}

// again starts a process anew that has ended, if it is to be and its pause is over.
func (k *Kubelet) again(p *v1alpha1.Process, s *State) (begin bool, wait time.Duration) {
	if restarted, _ := fate(p, s); !restarted {
		return false, 0
	}
	pause := k.Backoff(s.Seen.Spec.Restarts)
	// The clock may have been set back meanwhile: a pause is never longer than itself.
	if wait := min(s.endedAt().Add(pause).Sub(k.Clock.Now()), pause); wait > 0 {
		return false, wait
	}
	s.next(specOf(p, s.Run, s.Seen.Spec.Restarts+1))
	return true, 0
}

// endedAt is when a process ended, or when that was learned.
func (s *State) endedAt() time.Time {
	if s.Seen.Exit != nil {
		return s.Seen.Exit.At
	}
	return s.LearnedAt
}

// start starts a process, in the background, and tells what came of it. It may have begun also if the start failed, so
// the machine is asked.
//
// What is not worth another try is in the folder as the run's end, so that a new controller knows it too. Anything else
// is tried again, as the same run: a run is started once, however often it is tried.
func (k *Kubelet) start(spec machine.Spec) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(k.ctx), startLimit)
	defer cancel()
	err := k.machine.Start(ctx, spec)
	seen, unseen := k.machine.Look(spec.UID)
	err = errors.Join(err, unseen)
	k.Tell(spec.Run, "start", func(s *State) {
		s.Queued = false
		switch {
		case seen.Spec.Attempt > spec.Attempt || seen.Spec.Run != spec.Run && alive(seen.State):
			*s = k.stateOf(spec.UID, seen) // another controller is at work here, or something was heard too late
		case seen.Spec.Run == spec.Run && seen.State != machine.Nothing:
			s.Next, s.Failures = nil, 0
			k.saw(s, seen)
		default:
			s.NotUntil = k.Clock.Now().Add(k.Backoff(s.Failures))
			s.Failure, s.Failures = fmt.Sprint(err), s.Failures+1
		}
	})
}

// stop does the next thing that ends a process, and says whether it has ended. What only waits for its start is taken
// back. A process gets SIGTERM, and SIGKILL after the grace that it was started with.
//
// When it got them is remembered in the state alone. A new controller begins anew, with SIGTERM and the whole grace.
func (k *Kubelet) stop(s *State) (ended bool, wait time.Duration, err error) {
	if s.Next != nil {
		if s.Queued && !k.starter.Remove(s.Next.Run) {
			return false, 0, nil // it is being started, and its end tells
		}
		s.Queued = false
		if err := k.withdraw(s); err != nil {
			return false, 0, err
		}
	}
	if s.Seen.State == machine.Starting {
		if err := k.look(s); err != nil || s.Seen.State == machine.Starting {
			return false, poll, err
		}
	}
	if s.Seen.State == machine.Running && s.Terminated.IsZero() {
		if err := k.signal(s, syscall.SIGTERM); err != nil {
			return false, 0, err
		}
		s.Terminated = k.Clock.Now()
	}
	if s.Seen.State != machine.Running {
		return true, 0, nil
	}
	now := k.Clock.Now()
	if left := s.Terminated.Add(s.Seen.Spec.Grace).Sub(now); left > 0 {
		return false, left, nil
	}
	if s.Killed.IsZero() || now.Sub(s.Killed) >= killAgain {
		if err := k.signal(s, syscall.SIGKILL); err != nil {
			return false, 0, err
		}
		s.Killed = now
	}
	return s.Seen.State != machine.Running, killAgain, nil
}

// withdraw gives up what is to be started. It was not, unless the start failed and happened all the same.
func (k *Kubelet) withdraw(s *State) error {
	seen, err := k.machine.Look(s.Run.UID)
	if err != nil {
		return err
	}
	*s = k.stateOf(s.Run.UID, seen)
	return nil
}

// look asks the machine for a run of which it tells nothing by itself.
func (k *Kubelet) look(s *State) error {
	seen, err := k.machine.Look(s.Run.UID)
	if err == nil {
		k.saw(s, seen)
	}
	return err
}

// signal sends a signal to a state's run. If that has ended, the state learns it now, before it is told.
func (k *Kubelet) signal(s *State, signal syscall.Signal) error {
	err := k.machine.Signal(s.Run, signal)
	k.Observe(Event{Kind: EventSignal, Run: s.Run, Object: s.Seen.Spec.Object, Text: signal.String(), Err: err})
	if errors.Is(err, machine.ErrGone) {
		return k.look(s)
	}
	if err != nil {
		return fmt.Errorf("send %v to %v: %w", signal, s.Run, err)
	}
	return nil
}

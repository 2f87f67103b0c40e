package kubelet

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// Reasons of the conditions Ready and Stalled, besides v1alpha1.ReasonExitUnknown.
const (
	ReasonRuns       = "Runs"
	ReasonWaits      = "Waits"       // for its start
	ReasonStarting   = "Starting"    // it is being started
	ReasonTriedAgain = "TriedAgain"  // it could not be started, and is tried again
	ReasonCantStart  = "CantStart"   // it could not be started, and will not be
	ReasonStopping   = "Stopping"    // it is being stopped
	ReasonEnded      = "Ended"       // it has ended
	ReasonTooOften   = "MaxRestarts" // it has failed more often than it is started again
	ReasonEarlier    = "Earlier"     // an earlier object of its name still has a process
	ReasonGoesOn     = "GoesOn"      // it is not stalled
)

// fate is whether a process that has ended is started again, and the phase until then or for ever.
func fate(p *v1alpha1.Process, s *State) (again bool, phase v1alpha1.Phase) {
	exit, policy := s.Seen.Exit, p.Spec.RestartPolicy
	if exit != nil && exit.Error != "" { // a start that is worth another try leaves no end
		return false, v1alpha1.PhaseFailed
	}
	succeeded := s.Seen.State == machine.Ended && exit != nil && ptr.Deref(exit.Code, 1) == 0
	switch {
	case policy == v1alpha1.RestartAlways || policy == "":
		return true, v1alpha1.PhaseRestarting
	case succeeded:
		return false, v1alpha1.PhaseSucceeded
	case policy == v1alpha1.RestartOnFailure && !usedUp(p, s):
		return true, v1alpha1.PhaseRestarting
	}
	return false, v1alpha1.PhaseFailed
}

// usedUp says whether a process has been started again as often as it may be.
func usedUp(p *v1alpha1.Process, s *State) bool {
	return p.Spec.MaxRestarts != nil && s.Seen.Spec.Restarts >= *p.Spec.MaxRestarts
}

// beginning is the phase of what is about to be started.
func beginning(restarts int32) v1alpha1.Phase {
	if restarts > 0 {
		return v1alpha1.PhaseRestarting
	}
	return v1alpha1.PhasePending
}

// describe writes the status. All of it comes from the machine, but the exit code of a run before the one that goes on.
// The machine has nothing of that run any more, and the status may not have it yet: where the cache is late, saves are
// refused, and the next process may run before one is not. So the state has it, and for a new controller it stays as it
// is.
//
// Nothing in it passes with time alone, such as how long a pause still is: it would be another status in each run.
func (k *Kubelet) describe(p *v1alpha1.Process, s *State) {
	status, seen := &p.Status, &s.Seen
	status.ObservedGeneration = p.Generation
	status.Restarts = seen.Spec.Restarts
	status.PID = nil
	if seen.State == machine.Running {
		status.PID = ptr.To(int32(seen.Identity.PID))
	}
	if !seen.StartedAt.IsZero() {
		status.StartedAt = ptr.To(metav1.NewTime(seen.StartedAt))
	}
	switch {
	case seen.State == machine.Lost:
		status.ExitCode = nil
	case seen.State == machine.Ended && seen.Exit != nil:
		status.ExitCode = seen.Exit.Code
	case s.Before != nil:
		status.ExitCode = s.Before.Code
	}
	var reason, message string
	status.Phase, reason, message = k.phase(p, s)
	k.conditions(p, reason, message)
}

// phase is the status in one word, and why it is so, for programs and for people.
func (k *Kubelet) phase(p *v1alpha1.Process, s *State) (phase v1alpha1.Phase, reason, message string) {
	deleted := p.DeletionTimestamp != nil
	running := s.Seen.State == machine.Running
	switch {
	case running && (deleted || !s.Terminated.IsZero()):
		return v1alpha1.PhaseTerminating, ReasonStopping, stopping(p, s)
	case deleted:
		return v1alpha1.PhaseTerminating, ReasonStopping,
			"nothing runs, and nothing is started: the object is being deleted"
	case s.Next != nil:
		reason, message = k.coming(s)
		return beginning(s.Next.Restarts), reason, message
	case s.Seen.State == machine.Starting:
		return beginning(s.Seen.Spec.Restarts), ReasonStarting, "it is being started"
	case running:
		return v1alpha1.PhaseRunning, ReasonRuns, fmt.Sprintf("it runs as process %d", s.Seen.Identity.PID)
	}
	again, phase := fate(p, s)
	if exit := s.Seen.Exit; exit != nil && exit.Error != "" {
		return phase, ReasonCantStart, "it can't be started: " + exit.Error
	}
	reason, message = ended(s)
	switch {
	case again:
		message += ", and is started again after a pause"
	case p.Spec.RestartPolicy == v1alpha1.RestartOnFailure && phase == v1alpha1.PhaseFailed:
		message += fmt.Sprintf(", and was started again %d times, which is as often as it may be", s.Seen.Spec.Restarts)
		if reason == ReasonEnded {
			reason = ReasonTooOften
		}
	default:
		message += ", and is not started again"
	}
	return phase, reason, message
}

// coming is why something that is to run does not run yet.
func (k *Kubelet) coming(s *State) (reason, message string) {
	before := k.starter.Before(s.Next.Run)
	switch {
	case !s.Queued:
		return ReasonTriedAgain, "it could not be started, and is tried again: " + s.Failure
	case before >= 0:
		return ReasonWaits, fmt.Sprintf("it waits for a start: %d before it", before)
	}
	return ReasonStarting, "it is being started"
}

// stopping is why a process is being stopped.
func stopping(p *v1alpha1.Process, s *State) string {
	why := "the spec has changed"
	switch {
	case p.DeletionTimestamp != nil:
		why = "the object is being deleted"
	case s.Seen.Spec.Generation == p.Generation:
		why = "the object was another machine's for a while"
	}
	if !s.Killed.IsZero() {
		return fmt.Sprintf("it has not ended within %v after SIGTERM, and got SIGKILL: %s", s.Seen.Spec.Grace, why)
	}
	return "it got SIGTERM: " + why
}

// ended is how a process has ended.
func ended(s *State) (reason, message string) {
	exit := s.Seen.Exit
	switch {
	case s.Seen.State == machine.Lost || exit == nil:
		return v1alpha1.ReasonExitUnknown, "it has ended, and nobody knows how"
	case exit.Signal != "":
		return ReasonEnded, fmt.Sprintf("it was ended by the signal %s", exit.Signal)
	}
	return ReasonEnded, fmt.Sprintf("it has ended with exit code %d", ptr.Deref(exit.Code, -1))
}

// describeLeaving writes the status of an object that waits for another one's end.
func (k *Kubelet) describeLeaving(p *v1alpha1.Process) {
	p.Status.ObservedGeneration, p.Status.Phase = p.Generation, v1alpha1.PhasePending
	if p.DeletionTimestamp != nil {
		p.Status.Phase = v1alpha1.PhaseTerminating
	}
	k.conditions(p, ReasonEarlier, "it waits for the process of an earlier object of this name to end")
}

// conditions writes Ready and Stalled.
func (k *Kubelet) conditions(p *v1alpha1.Process, reason, message string) {
	ready := metav1.Condition{Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse, Reason: reason,
		Message: message, ObservedGeneration: p.Generation}
	stalled := metav1.Condition{Type: v1alpha1.ConditionStalled, Status: metav1.ConditionFalse, Reason: ReasonGoesOn,
		ObservedGeneration: p.Generation}
	if p.Status.Phase == v1alpha1.PhaseRunning {
		ready.Status = metav1.ConditionTrue
	}
	if reason == ReasonCantStart || reason == ReasonTooOften {
		stalled.Status, stalled.Reason, stalled.Message = metav1.ConditionTrue, reason, message
	}
	meta.SetStatusCondition(&p.Status.Conditions, ready)
	meta.SetStatusCondition(&p.Status.Conditions, stalled)
}

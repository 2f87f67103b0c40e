package owned

import (
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// describe writes the status: how many there are, and what a person wants to know when not all is as it should be. The
// generation says which spec it is about; whoever waits for a status compares it, or reads the status of the last spec.
//
// It says nothing that is new in each run, such as a time: a status that differs is written in each run, and may lead
// to the next.
func (r *Reconciler) describe(set *v1alpha1.ProcessSet, alive []*v1alpha1.Process, failed error) {
	status := &set.Status
	status.ObservedGeneration = set.Generation
	status.Replicas, status.ReadyReplicas = int32(len(alive)), 0
	status.Selector = labels.SelectorFromSet(set.Spec.Selector).String()
	var ended, waits []string
	for _, p := range alive {
		switch p.Status.Phase {
		case v1alpha1.PhaseRunning:
			status.ReadyReplicas++
		case v1alpha1.PhaseFailed, v1alpha1.PhaseSucceeded:
			ended = append(ended, p.Name+how(p))
		default:
			waits = append(waits, p.Name)
		}
	}
	ready := metav1.Condition{Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse,
		ObservedGeneration: set.Generation}
	wanted := Wanted(set)
	counted := fmt.Sprintf("there are %d Processes, and %d are wanted", len(alive), wanted)
	switch running := fmt.Sprintf("%d of %d Processes run", status.ReadyReplicas, wanted); {
	case set.DeletionTimestamp != nil:
		ready.Reason, ready.Message = "Deleting", "the set is being deleted, and no Process is made for it any more"
	case failed != nil:
		ready.Reason, ready.Message = "Refused", running+"; "+failed.Error()
	case len(alive) > wanted:
		ready.Reason, ready.Message = "TooMany", counted
	case len(alive) < wanted:
		ready.Reason, ready.Message = "TooFew", counted
	case len(ended) > 0:
		ready.Reason, ready.Message = "Ended", running+"; "+strings.Join(ended, ", ")
	case len(waits) > 0:
		ready.Reason, ready.Message = "Starting", running+"; not yet: "+strings.Join(waits, ", ")
	default:
		ready.Status, ready.Reason, ready.Message = metav1.ConditionTrue, "AllRun", running
	}
	meta.SetStatusCondition(&status.Conditions, ready)
	meta.SetStatusCondition(&status.Conditions, stalled(set, ended, failed))
}

// how is how a Process has ended.
func how(p *v1alpha1.Process) string {
	if p.Status.ExitCode == nil {
		return fmt.Sprintf(" is %s", p.Status.Phase)
	}
	return fmt.Sprintf(" has ended with exit code %d", *p.Status.ExitCode)
}

// stalled says whether somebody has to do something: nothing that the controller does will change it.
func stalled(set *v1alpha1.ProcessSet, ended []string, failed error) metav1.Condition {
	c := metav1.Condition{Type: v1alpha1.ConditionStalled, Status: metav1.ConditionFalse, Reason: "GoesOn",
		ObservedGeneration: set.Generation}
	switch {
	case apierrors.IsInvalid(failed) || apierrors.IsForbidden(failed):
		c.Status, c.Reason = metav1.ConditionTrue, "Refused"
		c.Message = "the API server has refused a request: " + failed.Error()
	case len(ended) > 0:
		c.Status, c.Reason = metav1.ConditionTrue, "Ended"
		c.Message = "not started again: " + strings.Join(ended, ", ")
	}
	return c
}

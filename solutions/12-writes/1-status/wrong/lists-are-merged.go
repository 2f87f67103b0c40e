// Misconception: a patch with one condition in it touches the others no more than one with one count.
// Caught by: TestNothingToWrite
// Message: the belief that a merge patch merges lists

//go:build wrong

package status

import (
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func (r Reporter) fill(status *policyv1.PodDisruptionBudgetStatus, observed Observed, generation int64) {
	status.ObservedGeneration = generation
	status.CurrentHealthy = observed.CurrentHealthy
	status.DesiredHealthy = observed.DesiredHealthy
	status.ExpectedPods = observed.ExpectedPods
	status.DisruptionsAllowed = observed.DisruptionsAllowed
	is := metav1.Condition{
		Type: Healthy, Status: conditionStatus(observed.Healthy), Reason: observed.Reason, Message: observed.Message,
		ObservedGeneration: generation, LastTransitionTime: r.Now(),
	}
	if c := meta.FindStatusCondition(status.Conditions, Healthy); c != nil && c.Status == is.Status {
		is.LastTransitionTime = c.LastTransitionTime
	}
	status.Conditions = []metav1.Condition{is} // wrong
}

// Breaks: Conditions keep their places in the list, and a Healthy that was not there comes last.
// Caught by: TestNothingToWrite
// Message: status.conditions is a list of [DisruptionAllowed Audited Healthy]

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
	meta.RemoveStatusCondition(&status.Conditions, Healthy)
	status.Conditions = append(status.Conditions, is) // wrong
}

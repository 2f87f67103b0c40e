// Breaks: Otherwise it stays what it was.
// Caught by: TestTheCounts
// Message: status.conditions[1].lastTransitionTime is "2026-05-01T12:30:00Z"

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
	c := meta.FindStatusCondition(status.Conditions, Healthy)
	if c != nil && c.Reason != observed.Reason {
		c.LastTransitionTime = r.Now() // wrong
	}
	meta.SetStatusCondition(&status.Conditions, metav1.Condition{
		Type: Healthy, Status: conditionStatus(observed.Healthy), Reason: observed.Reason, Message: observed.Message,
		ObservedGeneration: generation, LastTransitionTime: r.Now(),
	})
}

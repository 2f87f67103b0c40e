// Breaks: Its condition Healthy gets the Status, Reason and Message that were observed, an empty one too,
// Caught by: TestTheCounts
// Message: status.conditions[1].message is "as AllWell", and should be ""

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
	if c := meta.FindStatusCondition(status.Conditions, Healthy); c != nil && observed.Message == "" {
		observed.Message = c.Message // wrong
	}
	meta.SetStatusCondition(&status.Conditions, metav1.Condition{
		Type: Healthy, Status: conditionStatus(observed.Healthy), Reason: observed.Reason, Message: observed.Message,
		ObservedGeneration: generation, LastTransitionTime: r.Now(),
	})
}

// Misconception: Unknown and False are both not healthy, so nothing has changed between them.
// Caught by: TestTheCondition
// Message: Healthy was "Unknown", and is false

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
	c := meta.FindStatusCondition(status.Conditions, Healthy)
	if c != nil && (c.Status == metav1.ConditionTrue) == observed.Healthy { // wrong: there are three
		is.LastTransitionTime, c.Status = c.LastTransitionTime, is.Status
	}
	meta.SetStatusCondition(&status.Conditions, is)
}

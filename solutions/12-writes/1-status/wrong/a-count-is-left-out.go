// Breaks: Its four counts, CurrentHealthy, DesiredHealthy, ExpectedPods and DisruptionsAllowed, become
// Caught by: TestFirstReport
// Message: status.expectedPods is not in it

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
	status.DisruptionsAllowed = observed.DisruptionsAllowed
	meta.SetStatusCondition(&status.Conditions, metav1.Condition{
		Type: Healthy, Status: conditionStatus(observed.Healthy), Reason: observed.Reason, Message: observed.Message,
		ObservedGeneration: generation, LastTransitionTime: r.Now(),
	})
}

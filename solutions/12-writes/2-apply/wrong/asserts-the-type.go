// Misconception: the error is a StatusError, not one around it.
// Caught by: TestErrorsThatAreWrapped
// Message: Happened: there were 1, and returned was: the proxy in between: Apply failed with 2 conflicts: conflicts
// with "kubectl-edit" using apps/v1: - .spec.replicas - .spec.template.spec.containers[name="proxy"].image

//go:build wrong

package apply

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// conflicts are the fields that an error is about, if it is a conflict over fields.
func conflicts(err error) (fields []string) {
	status, ok := err.(apierrors.APIStatus) // wrong
	if !ok || !apierrors.IsConflict(err) || status.Status().Details == nil {
		return nil
	}
	for _, cause := range status.Status().Details.Causes {
		if cause.Type == metav1.CauseTypeFieldManagerConflict {
			fields = append(fields, cause.Field)
		}
	}
	return fields
}

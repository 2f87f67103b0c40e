// Misconception: an apply by somebody else is to be respected, an edit is not.
// Caught by: TestReplicasOfAnother
// Message: Happened: there were 1, and returned was: Apply failed with 2 conflicts: conflicts with "argocd": -
// .spec.replicas conflicts with "flux": - .spec.replicas

//go:build wrong

package apply

import (
	"errors"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"strings"
)

// conflicts are the fields that an error is about, if it is a conflict over fields.
func conflicts(err error) (fields []string) {
	var status apierrors.APIStatus
	if !apierrors.IsConflict(err) || !errors.As(err, &status) || status.Status().Details == nil {
		return nil
	}
	for _, cause := range status.Status().Details.Causes {
		if cause.Type == metav1.CauseTypeFieldManagerConflict && strings.Contains(cause.Message, " using ") { // wrong
			fields = append(fields, cause.Field)
		}
	}
	return fields
}

// Misconception: if one cause is a conflict of managers, the error is one, and each of its causes names a field of it.
// Caught by: TestCausesOfOtherTypes
// Message: Happened: in the request .spec.replicas is not there

//go:build wrong

package apply

import (
	"errors"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// conflicts are the fields that an error is about, if it is a conflict over fields.
func conflicts(err error) (fields []string) {
	var status apierrors.APIStatus
	if !apierrors.HasStatusCause(err, metav1.CauseTypeFieldManagerConflict) || !errors.As(err, &status) {
		return nil
	}
	for _, cause := range status.Status().Details.Causes {
		fields = append(fields, cause.Field) // wrong
	}
	return fields
}

// Breaks: What is in conflict stands in the status of the error, in the Field of each cause of the type
// metav1.CauseTypeFieldManagerConflict
// Caught by: TestOtherErrors
// Message: Happened: there were 2

//go:build wrong

package apply

import (
	"errors"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// conflicts are the fields that an error is about, if it is a conflict over fields.
func conflicts(err error) (fields []string) {
	var status apierrors.APIStatus
	if !apierrors.IsConflict(err) || !errors.As(err, &status) || status.Status().Details == nil {
		return nil
	}
	for _, cause := range status.Status().Details.Causes {
		fields = append(fields, cause.Field) // wrong
	}
	return fields
}

package writes

import (
	"errors"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Conflict is a field that server-side apply would have taken from somebody.
type Conflict struct {
	// Field is its path: .spec.replicas
	Field string
	// Manager is who owns it, or nothing if the message does not begin as upstream's does.
	Manager string
}

// Conflicts are why an apply was refused. There are none if the error is another one, also if it is a conflict of
// resourceVersions: that says nothing of fields.
//
// Upstream's counterpart is the error that k8s.io/apimachinery/pkg/util/managedfields makes, in internal/conflict.go.
// It has the manager in a message alone.
func Conflicts(err error) (all []Conflict) {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Details == nil {
		return nil
	}
	for _, cause := range status.Status().Details.Causes {
		if cause.Type != metav1.CauseTypeFieldManagerConflict {
			continue
		}
		quoted, _ := strconv.QuotedPrefix(strings.TrimPrefix(cause.Message, "conflict with "))
		manager, _ := strconv.Unquote(quoted)
		all = append(all, Conflict{cause.Field, manager})
	}
	return all
}

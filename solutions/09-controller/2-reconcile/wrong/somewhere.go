// Breaks: Reconcile returns an error with the namespace and the name in its text
// Caught by: TestNotOurs
// Message: it is "the mirror's place is taken"

//go:build wrong

package reconcile

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
)

func notOurs(_ Key, source *corev1.ConfigMap) error {
	if source == nil {
		return nil
	}
	return errors.New("the mirror's place is taken")
}

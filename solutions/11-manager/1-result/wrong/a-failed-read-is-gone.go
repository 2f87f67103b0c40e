// Breaks: After any other error, of the Reader, the Keeper or the Writer, whichever it is: later after each
// Caught by: TestAFailureComesAgainLater
// Message: read b is answered three times

//go:build wrong

package result

import (
	"context"

	corev1 "k8s.io/api/core/v1"
)

func (r Reconciler) predecessor(ctx context.Context, object *corev1.ConfigMap) (bool, error) {
	name := object.Annotations[After]
	if name == "" {
		return false, nil
	}
	_, err := r.Reader.Get(ctx, Key{Namespace: object.Namespace, Name: name})
	return err == nil, nil // wrong: what could not be read may be there
}

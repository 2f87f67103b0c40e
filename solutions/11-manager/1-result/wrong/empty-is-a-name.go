// Breaks: Its After, if there is one and it is not empty, names a ConfigMap that is there: nothing, it is too early.
// Caught by: TestWhatIsOverIsDeleted
// Message: after= uid=u7 version=99: a is over: it is deleted at once

//go:build wrong

package result

import (
	"context"

	corev1 "k8s.io/api/core/v1"
)

func (r Reconciler) predecessor(ctx context.Context, object *corev1.ConfigMap) (bool, error) {
	name, ok := object.Annotations[After]
	if !ok {
		return false, nil
	}
	_, err := r.Reader.Get(ctx, Key{Namespace: object.Namespace, Name: name})
	return err == nil || name == "", unlessGone(err) // wrong
}

// Misconception: what has a deletionTimestamp is as good as gone.
// Caught by: TestAfterAnother
// Message: b deleting: b is there: a is not deleted

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
	first, err := r.Reader.Get(ctx, Key{Namespace: object.Namespace, Name: name})
	return err == nil && first.DeletionTimestamp == nil, unlessGone(err) // wrong: its finalizers may take long
}

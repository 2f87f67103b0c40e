// Misconception: a deletion is of what was read.
// Caught by: TestDeletes
// Message: the belief that a deletion is of what was read

//go:build wrong

package reconcile

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func remove(ctx context.Context, key Key, _ *corev1.ConfigMap, writer Writer) error {
	err := writer.Delete(ctx, key, metav1.Preconditions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

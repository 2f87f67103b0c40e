// Breaks: The preconditions of a deletion are the UID and the resourceVersion that were read.
// Caught by: TestDeletes
// Message: Happened: Delete web/colors if uid=u2

//go:build wrong

package reconcile

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func remove(ctx context.Context, key Key, mirror *corev1.ConfigMap, writer Writer) error {
	uid := mirror.UID
	err := writer.Delete(ctx, key, metav1.Preconditions{UID: &uid})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

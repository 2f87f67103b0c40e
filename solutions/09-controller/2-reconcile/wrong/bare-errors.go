// Breaks: But NotFound is no error of a deletion: Reconcile returns nil, and a later call does what is still to do.
// Caught by: TestErrorsOfTheWriter
// Message: the Writer returns a wrapped NotFound from Delete

//go:build wrong

package reconcile

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func remove(ctx context.Context, key Key, mirror *corev1.ConfigMap, writer Writer) error {
	uid, version := mirror.UID, mirror.ResourceVersion
	err := writer.Delete(ctx, key, metav1.Preconditions{UID: &uid, ResourceVersion: &version})
	status, ok := err.(*apierrors.StatusError)
	if ok && status.ErrStatus.Reason == metav1.StatusReasonNotFound {
		return nil
	}
	return err
}

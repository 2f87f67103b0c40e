// Breaks: An error of the Writer is returned, whichever it is, bare or wrapped
// Caught by: TestErrorsOfTheWriter
// Message: Then the Writer returns Gone from Delete

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
	if apierrors.IsNotFound(err) || apierrors.IsGone(err) {
		return nil
	}
	return err
}

// Breaks: A *metav1.PartialObjectMetadata that says that its apiVersion is v1 and its kind Secret.
// Caught by: TestWhatASecretIs
// Message: Happened: it was asked once

//go:build wrong

package index

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// isSecret says whether an object is one, whole or its metadata alone.
func isSecret(object client.Object) bool {
	switch o := object.(type) {
	case *corev1.Secret:
		return o != nil
	case *metav1.PartialObjectMetadata:
		return o != nil && o.GroupVersionKind().GroupKind() == corev1.SchemeGroupVersion.WithKind("Secret").GroupKind()
	}
	return false
}

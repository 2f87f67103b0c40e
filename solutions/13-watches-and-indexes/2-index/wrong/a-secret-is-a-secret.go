// Misconception: a Secret is a *corev1.Secret.
// Caught by: TestWhatASecretIs
// Message: Points to: the belief that a Secret is a *corev1.Secret. A watch of metadata alone has objects of one Go
// type for all kinds

//go:build wrong

package index

import (
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// isSecret says whether an object is one, whole or its metadata alone.
func isSecret(object client.Object) bool {
	switch o := object.(type) {
	case *corev1.Secret:
		return o != nil
	}
	return false
}

// Misconception: a mirror is right if it has all that its source has.
// Caught by: TestUpdates
// Message: the belief that a mirror is right if it has all that its source has

//go:build wrong

package reconcile

import (
	"bytes"

	corev1 "k8s.io/api/core/v1"
)

func sameData(mirror, source *corev1.ConfigMap) bool {
	for name, text := range source.Data {
		if there, has := mirror.Data[name]; !has || there != text {
			return false
		}
	}
	for name, data := range source.BinaryData {
		if there, has := mirror.BinaryData[name]; !has || !bytes.Equal(there, data) {
			return false
		}
	}
	return true
}

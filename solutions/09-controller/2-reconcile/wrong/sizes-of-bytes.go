// Breaks: It is right if Of names its source, and Data and BinaryData are equal to the source's.
// Caught by: TestUpdates
// Message: Happened: no write

//go:build wrong

package reconcile

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
)

func sameData(mirror, source *corev1.ConfigMap) bool {
	sameSize := func(a, b []byte) bool { return len(a) == len(b) }
	return maps.Equal(mirror.Data, source.Data) && maps.EqualFunc(mirror.BinaryData, source.BinaryData, sameSize)
}

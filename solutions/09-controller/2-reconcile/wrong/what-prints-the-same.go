// Breaks: It is right if Of names its source, and Data and BinaryData are equal to the source's.
// Caught by: TestUpdates
// Message: Happened: no write

//go:build wrong

package reconcile

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

func sameData(mirror, source *corev1.ConfigMap) bool {
	return fmt.Sprint(mirror.Data, mirror.BinaryData) == fmt.Sprint(source.Data, source.BinaryData)
}

// Misconception: an update writes what has changed.
// Caught by: TestWhatIsWritten
// Message: the belief that an update changes what has changed

//go:build wrong

package two

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (k *keeper) write(ctx context.Context, found *corev1.ConfigMap, value string) error {
	changed := found.DeepCopy()
	if changed.Annotations == nil {
		changed.Annotations = map[string]string{}
	}
	changed.Annotations[k.Annotation] = value
	return k.client.Update(ctx, changed, client.FieldOwner(k.Name)) // wrong: all of it
}

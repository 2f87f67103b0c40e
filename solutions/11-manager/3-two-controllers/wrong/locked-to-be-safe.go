// Misconception: a write should be refused if the object has changed since it was read.
// Caught by: TestWhatIsWritten
// Message: in a patch is one note, and nothing else

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
	patch := client.MergeFromWithOptions(found, client.MergeFromWithOptimisticLock{}) // wrong
	return k.client.Patch(ctx, changed, patch, client.FieldOwner(k.Name))
}

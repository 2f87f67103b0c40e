// Misconception: what was read may be changed, if it is compared with a copy from before.
// Caught by: TestOneNoteIsKept
// Message: the belief that what was read is the reader

//go:build wrong

package two

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (k *keeper) write(ctx context.Context, found *corev1.ConfigMap, value string) error {
	before := found.DeepCopy()
	if found.Annotations == nil {
		found.Annotations = map[string]string{}
	}
	found.Annotations[k.Annotation] = value // wrong: the map is the cache's
	return k.client.Patch(ctx, found, client.MergeFrom(before), client.FieldOwner(k.Name))
}

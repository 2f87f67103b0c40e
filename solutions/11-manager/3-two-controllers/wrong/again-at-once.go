// Misconception: a write that was refused is best made again at once.
// Caught by: TestTheQueuesLimiter
// Message: Points to: the belief that a refused write is best made again at once. The queue does that better: it knows
// how often it has failed

//go:build wrong

package two

import (
	"context"
	"encoding/json"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// write writes the note, and nothing else.
func (k *keeper) write(ctx context.Context, found *corev1.ConfigMap, value string) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"annotations": map[string]string{k.Annotation: value}}})
	if err != nil {
		return err
	}
	target := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: found.Namespace, Name: found.Name}}
	for try := 0; ; try++ { // wrong: the queue does that, with pauses that grow
		err := k.client.Patch(ctx, target, client.RawPatch(types.MergePatchType, patch), client.FieldOwner(k.Name))
		if err == nil || try == 4 {
			return err
		}
	}
}

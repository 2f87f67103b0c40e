// Breaks: A write is a merge patch, with the Annotation and, if need be, the UID in it, and with nothing else.
// Caught by: TestWhatIsWritten
// Message: in a patch is one note, and nothing else

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

func (k *keeper) write(ctx context.Context, found *corev1.ConfigMap, value string) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"labels":      map[string]string{k.Name: "true"}, // wrong
		"annotations": map[string]string{k.Annotation: value}}})
	if err != nil {
		return err
	}
	target := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: found.Namespace, Name: found.Name}}
	return k.client.Patch(ctx, target, client.RawPatch(types.MergePatchType, patch), client.FieldOwner(k.Name))
}

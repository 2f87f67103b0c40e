// Misconception: whoever asks for something that is not there has made a mistake.
// Caught by: TestGoneMeanwhile
// Message: the belief that a key that can't be taken out is a failure

//go:build wrong

package finalizer

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func (p *Protocol) set(ctx context.Context, object types.NamespacedName, o *metav1.PartialObjectMetadata,
	keys []string) error {
	patch, err := mergePatch(map[string]any{"finalizers": keys, "resourceVersion": o.ResourceVersion})
	if err != nil {
		return err
	}
	if err := p.API.Patch(ctx, object, patch); err != nil && (o.DeletionTimestamp != nil || !gone(err)) {
		return err
	}
	return nil
}

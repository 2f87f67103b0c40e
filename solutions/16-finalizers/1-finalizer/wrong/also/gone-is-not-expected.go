// Misconception: a key can only be added to what is there.
// Stage: 3

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
	if err := p.API.Patch(ctx, object, patch); err != nil && (o.DeletionTimestamp == nil || !gone(err)) {
		return err
	}
	return nil
}

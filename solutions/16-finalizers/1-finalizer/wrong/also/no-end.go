// Misconception: a write that has begun is to be finished.
// Stage: 4

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
	if err := p.API.Patch(context.WithoutCancel(ctx), object, patch); !gone(err) {
		return err
	}
	return nil
}

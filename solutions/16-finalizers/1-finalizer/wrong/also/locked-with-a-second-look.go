// Misconception: the lock is the newest version.
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
	now, err := p.API.Get(ctx, object)
	if gone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	patch, err := mergePatch(map[string]any{"finalizers": keys, "resourceVersion": now.ResourceVersion})
	if err != nil {
		return err
	}
	if err := p.API.Patch(ctx, object, patch); !gone(err) {
		return err
	}
	return nil
}

// Misconception: what was read a moment ago is as it is.
// Stage: 4

//go:build wrong

package finalizer

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func (p *Protocol) set(ctx context.Context, object types.NamespacedName, o *metav1.PartialObjectMetadata,
	keys []string) error {
	now, err := p.API.Get(ctx, object)
	if err != nil || now.UID != o.UID || !slices.Equal(now.Finalizers, o.Finalizers) {
		return err
	}
	patch, err := mergePatch(map[string]any{"finalizers": keys})
	if err != nil {
		return err
	}
	if err := p.API.Patch(ctx, object, patch); !gone(err) {
		return err
	}
	return nil
}

// Misconception: a Conflict passes.
// Stage: 3

//go:build wrong

package finalizer

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func (p *Protocol) set(ctx context.Context, object types.NamespacedName, o *metav1.PartialObjectMetadata,
	keys []string) error {
	patch, err := mergePatch(map[string]any{"finalizers": keys, "resourceVersion": o.ResourceVersion})
	if err != nil {
		return err
	}
	for {
		err := p.API.Patch(ctx, object, patch)
		if apierrors.IsConflict(err) && ctx.Err() == nil {
			patch, err = mergePatch(map[string]any{"finalizers": keys})
			if err == nil {
				continue
			}
		}
		if gone(err) {
			return nil
		}
		return err
	}
}

// Misconception: a Conflict says that somebody else was faster.
// Caught by: TestConflict
// Message: the belief that a Conflict is as good as done

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
	if err := p.API.Patch(ctx, object, patch); !gone(err) && !apierrors.IsConflict(err) {
		return err
	}
	return nil
}

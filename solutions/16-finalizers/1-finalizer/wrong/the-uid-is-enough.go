// Misconception: an object is known by its UID.
// Caught by: TestAnotherVersion
// Message: the belief that what was read a moment ago is what is there

//go:build wrong

package finalizer

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func (p *Protocol) set(ctx context.Context, object types.NamespacedName, o *metav1.PartialObjectMetadata,
	keys []string) error {
	patch, err := mergePatch(map[string]any{"finalizers": keys, "uid": o.UID})
	if err != nil {
		return err
	}
	if err := p.API.Patch(ctx, object, patch); !gone(err) {
		return err
	}
	return nil
}

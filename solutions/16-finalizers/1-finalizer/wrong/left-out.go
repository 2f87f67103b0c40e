// Misconception: a patch is the object as it should be.
// Caught by: TestOrder
// Message: the belief that a merge patch takes out what it leaves out

//go:build wrong

package finalizer

import (
	"context"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func (p *Protocol) set(ctx context.Context, object types.NamespacedName, o *metav1.PartialObjectMetadata,
	keys []string) error {
	o = o.DeepCopy()
	o.Finalizers = keys
	patch, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if err := p.API.Patch(ctx, object, patch); !gone(err) {
		return err
	}
	return nil
}

// Misconception: it is enough to look afterwards.
// Caught by: TestTheCacheIsLate
// Message: the belief that it is enough to look afterwards.

//go:build wrong

package claim

import (
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func adopt(ctx context.Context, api API, set, child *metav1.PartialObjectMetadata, may func() error) (bool, error) {
	err := api.SetOwners(ctx, child, append(slices.Clone(child.OwnerReferences), controlledBy(set)))
	if err != nil && !gone(err) {
		return false, fmt.Errorf("adopt %s: %w", child.Name, err)
	}
	if err == nil {
		err = may() // wrong: it is done
	}
	return err == nil, err
}

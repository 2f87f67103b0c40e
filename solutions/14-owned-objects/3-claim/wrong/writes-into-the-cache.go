// Misconception: the cache may have it at once.
// Caught by: TestTheCacheStaysAsItWas
// Message: the belief that a list that was handed over may be worked on.

//go:build wrong

package claim

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func adopt(ctx context.Context, api API, set, child *metav1.PartialObjectMetadata, may func() error) (bool, error) {
	if err := may(); err != nil {
		return false, fmt.Errorf("adopt %s: %w", child.Name, err)
	}
	child.OwnerReferences = append(child.OwnerReferences, controlledBy(set)) // wrong: it is the cache's
	err := api.SetOwners(ctx, child, child.OwnerReferences)
	if err != nil && !gone(err) {
		return false, fmt.Errorf("adopt %s: %w", child.Name, err)
	}
	return err == nil, nil
}

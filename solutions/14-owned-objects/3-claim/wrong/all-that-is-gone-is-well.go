// Misconception: no error that says gone is a failure.
// Caught by: TestTheCacheIsLate
// Message: the belief that there is nothing left to do.

//go:build wrong

package claim

import (
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func adopt(ctx context.Context, api API, set, child *metav1.PartialObjectMetadata, may func() error) (bool, error) {
	if err := may(); gone(err) {
		return false, nil // wrong: it is the set that is gone
	} else if err != nil {
		return false, fmt.Errorf("adopt %s: %w", child.Name, err)
	}
	err := api.SetOwners(ctx, child, append(slices.Clone(child.OwnerReferences), controlledBy(set)))
	if err != nil && !gone(err) {
		return false, fmt.Errorf("adopt %s: %w", child.Name, err)
	}
	return err == nil, nil
}

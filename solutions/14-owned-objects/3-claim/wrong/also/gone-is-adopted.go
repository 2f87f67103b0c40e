// Misconception: a failure that is none is a success.
// Stage: 3

//go:build wrong

package claim

import (
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func adopt(ctx context.Context, api API, set, child *metav1.PartialObjectMetadata, may func() error) (bool, error) {
	if err := may(); err != nil {
		return false, fmt.Errorf("adopt %s: %w", child.Name, err)
	}
	err := api.SetOwners(ctx, child, append(slices.Clone(child.OwnerReferences), controlledBy(set)))
	if err != nil && !gone(err) {
		return false, fmt.Errorf("adopt %s: %w", child.Name, err)
	}
	return true, nil // wrong: it may be gone
}

// Misconception: any reference makes the set the controller.
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
	reference := controlledBy(set)
	reference.Controller = nil // wrong: that is what makes it the set's
	err := api.SetOwners(ctx, child, append(slices.Clone(child.OwnerReferences), reference))
	if err != nil && !gone(err) {
		return false, fmt.Errorf("adopt %s: %w", child.Name, err)
	}
	return err == nil, nil
}

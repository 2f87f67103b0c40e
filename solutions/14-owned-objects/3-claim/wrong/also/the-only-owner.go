// Misconception: a child that is adopted has one owner.
// Stage: 3

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
	// wrong: others own it, too
	err := api.SetOwners(ctx, child, []metav1.OwnerReference{controlledBy(set)})
	if err != nil && !gone(err) {
		return false, fmt.Errorf("adopt %s: %w", child.Name, err)
	}
	return err == nil, nil
}

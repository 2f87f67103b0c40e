// Misconception: whatever SetOwners returns is a failure.
// Stage: 2

//go:build wrong

package claim

import (
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func release(ctx context.Context, api API, set, child *metav1.PartialObjectMetadata) error {
	others := slices.DeleteFunc(slices.Clone(child.OwnerReferences), func(reference metav1.OwnerReference) bool {
		return reference.UID == set.UID
	})
	// wrong: also what is gone
	if err := api.SetOwners(ctx, child, others); err != nil {
		return fmt.Errorf("release %s: %w", child.Name, err)
	}
	return nil
}

// Misconception: a list that was handed over may be cut.
// Stage: 3

//go:build wrong

package claim

import (
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func release(ctx context.Context, api API, set, child *metav1.PartialObjectMetadata) error {
	// wrong: the list is the cache's
	others := slices.DeleteFunc(child.OwnerReferences, func(reference metav1.OwnerReference) bool {
		return reference.UID == set.UID
	})
	if err := api.SetOwners(ctx, child, others); err != nil && !gone(err) {
		return fmt.Errorf("release %s: %w", child.Name, err)
	}
	return nil
}

// Misconception: a write that was begun has to end.
// Stage: 3

//go:build wrong

package claim

import (
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func release(_ context.Context, api API, set, child *metav1.PartialObjectMetadata) error {
	others := slices.DeleteFunc(slices.Clone(child.OwnerReferences), func(reference metav1.OwnerReference) bool {
		return reference.UID == set.UID
	})
	// wrong: nobody can end it
	if err := api.SetOwners(context.Background(), child, others); err != nil && !gone(err) {
		return fmt.Errorf("release %s: %w", child.Name, err)
	}
	return nil
}

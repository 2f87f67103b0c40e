// Misconception: a child has one owner.
// Caught by: TestOtherOwnersStay
// Message: the belief that a child has one owner. The patch replaces the whole list, and the others

//go:build wrong

package claim

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func release(ctx context.Context, api API, set, child *metav1.PartialObjectMetadata) error {
	if err := api.SetOwners(ctx, child, nil); err != nil && !gone(err) {
		return fmt.Errorf("release %s: %w", child.Name, err)
	}
	return nil
}

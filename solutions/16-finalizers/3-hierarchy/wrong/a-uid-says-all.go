// Misconception: a UID says all of a child.
// Caught by: TestReleasedSince
// Message: the belief that a UID says all of a child

//go:build wrong

package hierarchy

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func remove(ctx context.Context, children Children, child metav1.PartialObjectMetadata) error {
	return children.Delete(ctx, child.Name, metav1.Preconditions{UID: &child.UID})
}

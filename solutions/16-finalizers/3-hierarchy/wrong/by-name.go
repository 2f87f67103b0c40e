// Misconception: a name says which child is meant.
// Caught by: TestAnotherOfTheName
// Message: the belief that a name says which child is meant

//go:build wrong

package hierarchy

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func remove(ctx context.Context, children Children, child metav1.PartialObjectMetadata) error {
	return children.Delete(ctx, child.Name, metav1.Preconditions{})
}

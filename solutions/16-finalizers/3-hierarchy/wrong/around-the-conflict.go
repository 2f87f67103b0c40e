// Misconception: a Conflict is to be got around.
// Caught by: TestAnotherOfTheName
// Message: the belief that a Conflict is to be got around

//go:build wrong

package hierarchy

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func remove(ctx context.Context, children Children, child metav1.PartialObjectMetadata) error {
	only := metav1.Preconditions{UID: &child.UID, ResourceVersion: &child.ResourceVersion}
	err := children.Delete(ctx, child.Name, only)
	if apierrors.IsConflict(err) {
		err = children.Delete(ctx, child.Name, metav1.Preconditions{})
	}
	return err
}

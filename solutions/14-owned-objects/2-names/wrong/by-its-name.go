// Misconception: the name of the controller says who it is.
// Caught by: TestStrangers
// Message: the belief that a name says who the owner is.

//go:build wrong

package names

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func isOurs(ctx context.Context, server Server, owner Owner, name string) (bool, error) {
	there, err := server.Get(ctx, name)
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	controller := metav1.GetControllerOf(there)
	return controller != nil && controller.Name == owner.Name && there.DeletionTimestamp == nil, nil // wrong
}

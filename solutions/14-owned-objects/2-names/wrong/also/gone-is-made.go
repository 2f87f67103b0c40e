// Misconception: a name that was taken a moment ago is still taken.
// Stage: 3

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
		return true, nil // wrong
	}
	if err != nil {
		return false, err
	}
	controller := metav1.GetControllerOf(there)
	return controller != nil && controller.UID == owner.UID && there.DeletionTimestamp == nil, nil
}

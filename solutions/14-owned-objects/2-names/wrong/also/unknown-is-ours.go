// Misconception: what is not known to be a stranger's is ours.
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
		return false, nil
	}
	if err != nil {
		return true, ctx.Err() // wrong
	}
	controller := metav1.GetControllerOf(there)
	return controller != nil && controller.UID == owner.UID && there.DeletionTimestamp == nil, nil
}

// Misconception: a run has to wait until the name of a child that is being deleted is free.
// Stage: 3

//go:build wrong

package names

import (
	"context"
	"fmt"

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
	ours := controller != nil && controller.UID == owner.UID
	if ours && there.DeletionTimestamp != nil {
		return false, fmt.Errorf("%s is being deleted", name) // wrong
	}
	return ours, nil
}

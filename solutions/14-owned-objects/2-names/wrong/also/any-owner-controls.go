// Misconception: each owner of an object manages it.
// Stage: 3

//go:build wrong

package names

import (
	"context"
	"slices"

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
	ours := slices.ContainsFunc(there.OwnerReferences, func(by metav1.OwnerReference) bool {
		return by.UID == owner.UID
	})
	return ours && there.DeletionTimestamp == nil, nil // wrong
}

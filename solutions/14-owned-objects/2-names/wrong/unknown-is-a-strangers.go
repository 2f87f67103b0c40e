// Misconception: what is not known to be ours is not.
// Caught by: TestFailures
// Message: the belief that what is not known is a stranger's.

//go:build wrong

package names

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func isOurs(ctx context.Context, server Server, owner Owner, name string) (bool, error) {
	there, err := server.Get(ctx, name)
	if err != nil {
		return false, ctx.Err() // wrong
	}
	controller := metav1.GetControllerOf(there)
	return controller != nil && controller.UID == owner.UID && there.DeletionTimestamp == nil, nil
}

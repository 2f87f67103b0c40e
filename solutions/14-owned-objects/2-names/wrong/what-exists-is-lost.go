// Misconception: a name that is taken is a stranger's.
// Caught by: TestTheCacheIsLate
// Message: the belief that a name that is taken is lost.

//go:build wrong

package names

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func Create(ctx context.Context, server Server, owner Owner, children []*metav1.PartialObjectMetadata, n int) (
	[]string, error) {
	var made []string
	for number := first(owner, children); len(made) < n; number++ {
		name := name(owner, number)
		err := server.Create(ctx, name)
		if apierrors.IsAlreadyExists(err) {
			continue // wrong
		}
		if err != nil {
			return made, err
		}
		made = append(made, name)
	}
	return made, nil
}

// Misconception: AlreadyExists says that what was wanted is there.
// Caught by: TestStrangers
// Message: the belief that an object that exists is the one that was wanted.

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
		if err := server.Create(ctx, name); err != nil && !apierrors.IsAlreadyExists(err) { // wrong
			return made, err
		}
		made = append(made, name)
	}
	return made, nil
}

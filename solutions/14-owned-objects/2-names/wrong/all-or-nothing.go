// Breaks: Create returns the error, and the names so far.
// Caught by: TestFailures
// Message: it made web-0, and returned none and the error

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
		ours := err == nil
		if apierrors.IsAlreadyExists(err) {
			ours, err = isOurs(ctx, server, owner, name)
		}
		if err != nil {
			return nil, err // wrong
		}
		if ours {
			made = append(made, name)
		}
	}
	return made, nil
}

// Misconception: a name that a stranger has can't be helped.
// Stage: 3

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
			ours, failed := isOurs(ctx, server, owner, name)
			if failed != nil {
				return made, failed
			}
			if ours {
				err = nil
			}
		}
		if err != nil {
			return made, err // wrong
		}
		made = append(made, name)
	}
	return made, nil
}

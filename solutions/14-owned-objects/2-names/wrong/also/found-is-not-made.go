// Misconception: a name that is taken needs no child, and stands for none.
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
	for _, name := range Next(owner, children, n) {
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

// Breaks: Any other object keeps its name, and the next number is tried.
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
	for i, from := 0, first(owner, children); i < n; i++ {
		for number := from + i; ; number++ { // wrong: what was made a moment ago is found once more
			err := server.Create(ctx, name(owner, number))
			ours := err == nil
			if apierrors.IsAlreadyExists(err) {
				ours, err = isOurs(ctx, server, owner, name(owner, number))
			}
			if err != nil {
				return made, err
			}
			if ours {
				made = append(made, name(owner, number))
				break
			}
		}
	}
	return made, nil
}

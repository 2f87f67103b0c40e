// Misconception: a create that is refused has failed.
// Caught by: TestTheCacheIsLate
// Message: the belief that a create that is refused has failed.

//go:build wrong

package names

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func Create(ctx context.Context, server Server, owner Owner, children []*metav1.PartialObjectMetadata, n int) (
	[]string, error) {
	var made []string
	for number := first(owner, children); len(made) < n; number++ {
		name := name(owner, number)
		if err := server.Create(ctx, name); err != nil {
			return made, err // wrong
		}
		made = append(made, name)
	}
	return made, nil
}

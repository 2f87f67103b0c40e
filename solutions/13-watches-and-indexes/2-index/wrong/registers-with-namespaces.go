// Breaks: Register has the cache keep the index Field of Deployments, with Secrets.
// Caught by: TestRegister
// Message: Happened: it stands under "a", "b", "c", "d", "e", "east/a", "east/b", "east/c", "east/d", "east/e",
// "east/f", "east/g", "east/h", "east/i", "east/j", "east/k", "east/l", "east/m", "east/n", "east/o", "f", "g", "h",
// "i", "j", "k", "l", "m", "n", "o"

//go:build wrong

package index

import (
	"context"
	"fmt"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"slices"
)

// namespaced has each value with its namespace and without it.
func namespaced(object client.Object) []string {
	all := Secrets(object)
	for _, name := range slices.Clone(all) {
		all = append(all, object.GetNamespace()+"/"+name) // wrong: the cache adds it
	}
	return all
}

func Register(ctx context.Context, indexer client.FieldIndexer) error {
	if err := indexer.IndexField(ctx, &appsv1.Deployment{}, Field, namespaced); err != nil {
		return fmt.Errorf("the index %s of Deployments: %w", Field, err)
	}
	return nil
}

// Misconception: an index that is there already is no error.
// Caught by: TestRegister
// Message: Happened: it has returned <nil>

//go:build wrong

package index

import (
	"context"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"strings"
)

func Register(ctx context.Context, indexer client.FieldIndexer) error {
	err := indexer.IndexField(ctx, &appsv1.Deployment{}, Field, Secrets)
	if err != nil && strings.Contains(err.Error(), "conflict") {
		return nil // wrong: who knows with which function
	}
	return err
}

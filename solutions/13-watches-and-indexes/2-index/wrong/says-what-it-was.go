// Breaks: It returns nil if IndexField has, and otherwise an error that errors.Is says to be the one of IndexField.
// Caught by: TestRegister
// Message: Happened: it has returned the index scratch.example.com/secrets of Deployments: an index of this field is
// there already

//go:build wrong

package index

import (
	"context"
	"fmt"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Register(ctx context.Context, indexer client.FieldIndexer) error {
	if err := indexer.IndexField(ctx, &appsv1.Deployment{}, Field, Secrets); err != nil {
		return fmt.Errorf("the index %s of Deployments: %v", Field, err)
	}
	return nil
}

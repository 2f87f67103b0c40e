// Misconception: an index is to be there for longer than the ctx of whoever sets it up.
// Caught by: TestRegister
// Message: Happened: it was another

//go:build wrong

package index

import (
	"context"
	"fmt"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Register(ctx context.Context, indexer client.FieldIndexer) error {
	if err := indexer.IndexField(context.Background(), &appsv1.Deployment{}, Field, Secrets); err != nil {
		return fmt.Errorf("the index %s of Deployments: %w", Field, err)
	}
	return nil
}

// Misconception: only the Go type of the object is of interest, and a nil pointer has one.
// Caught by: TestRegister
// Message: Happened: that was nil

//go:build wrong

package index

import (
	"context"
	"fmt"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Register(ctx context.Context, indexer client.FieldIndexer) error {
	if err := indexer.IndexField(ctx, (*appsv1.Deployment)(nil), Field, Secrets); err != nil {
		return fmt.Errorf("the index %s of Deployments: %w", Field, err)
	}
	return nil
}

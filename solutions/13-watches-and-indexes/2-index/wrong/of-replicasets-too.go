// Breaks: It calls IndexField once, with ctx, and nothing else, also if that returns an error.
// Caught by: TestRegister
// Message: Happened: called was ["IndexField of a *v1.Deployment and \"scratch.example.com/secrets\"" "IndexField of a
// *v1.ReplicaSet and \"scratch.example.com/secrets\""]

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
		return fmt.Errorf("the index %s of Deployments: %w", Field, err)
	}
	return indexer.IndexField(ctx, &appsv1.ReplicaSet{}, Field, Secrets) // wrong: nobody asked for it
}

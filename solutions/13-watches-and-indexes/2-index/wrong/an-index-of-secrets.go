// Misconception: an index is of what is asked about.
// Caught by: TestRegister
// Message: Points to: the belief that an index is of what is asked about. It is of what is found: the Deployments

//go:build wrong

package index

import (
	"context"
	"fmt"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Register(ctx context.Context, indexer client.FieldIndexer) error {
	if err := indexer.IndexField(ctx, &corev1.Secret{}, Field, Secrets); err != nil {
		return fmt.Errorf("the index %s of Deployments: %w", Field, err)
	}
	return nil
}

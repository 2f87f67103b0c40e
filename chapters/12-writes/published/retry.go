package published

import (
	"context"

	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// RetryOverACache reads and updates until there is no conflict, five times at most. The reader is a cache. It has not
// heard yet of the write that is the reason for the conflict, and the tries are over within some milliseconds.
func RetryOverACache(ctx context.Context, cache client.Reader, over client.Client, key client.ObjectKey,
	seconds int32) (tries int, err error) {
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		tries++
		var p v1alpha1.Process
		if err := cache.Get(ctx, key, &p); err != nil {
			return err
		}
		p.Spec.GracePeriodSeconds = &seconds
		return over.Update(ctx, &p)
	})
	return tries, err
}

// ReturnTheConflict reads and updates once. A conflict is returned, and so the queue calls again, later after each one,
// by which time the cache has heard.
func ReturnTheConflict(ctx context.Context, cache client.Reader, over client.Client, key client.ObjectKey,
	seconds int32) error {
	var p v1alpha1.Process
	if err := cache.Get(ctx, key, &p); err != nil {
		return err
	}
	p.Spec.GracePeriodSeconds = &seconds
	return over.Update(ctx, &p)
}

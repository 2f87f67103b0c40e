package reflector_test

import (
	"context"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest"
)

// TestSuite gives both reflectors to the suite.
func TestSuite(t *testing.T) {
	t.Run("ours", func(t *testing.T) {
		reflectortest.Run(t, func(ctx context.Context, source cache.ListerWatcher, into cache.ReflectorStore) {
			reflector.New(source, &corev1.ConfigMap{}, into, reflector.Options{}).RunWithContext(ctx)
		})
	})
	t.Run("upstream", func(t *testing.T) {
		reflectortest.Run(t, func(ctx context.Context, source cache.ListerWatcher, into cache.ReflectorStore) {
			cache.NewReflector(source, &corev1.ConfigMap{}, into, 0).RunWithContext(ctx)
		})
	})
}

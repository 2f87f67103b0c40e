package informer_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// TestPiecesOfTheReflector gives an informer a reflector with another policy: it is asked what follows from a failure.
// Each informer has pieces of its own made.
func TestPiecesOfTheReflector(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		fails := errors.New("no list today")
		source := &cache.ListWatch{
			ListWithContextFunc: func(context.Context, metav1.ListOptions) (runtime.Object, error) {
				return nil, fails
			},
			WatchFuncWithContext: func(context.Context, metav1.ListOptions) (watch.Interface, error) {
				return nil, fails
			},
		}
		var made, asked atomic.Int64
		parts := informer.Parts{Reflector: func() reflector.Parts {
			made.Add(1)
			return reflector.Parts{Policy: func(doing reflector.Doing, err error) reflector.Decision {
				if errors.Is(err, fails) {
					asked.Add(1)
				}
				return reflector.Decide(doing, err)
			}}
		}}
		for range 2 {
			i := informer.New(source, &corev1.ConfigMap{}, informer.Options{Parts: parts})
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			i.RunWithContext(ctx)
			cancel()
		}
		require.EqualValues(t, 2, made.Load())
		require.Greater(t, asked.Load(), int64(2))
	})
}
